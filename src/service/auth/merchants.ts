import * as z from "zod/mini";
import type { Engine } from "../../kit/engine/engine.ts";
import { anyText, shapeOf } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import { httpUrl, storedMoment, text } from "../fields.ts";
import type { GivenCredentials } from "./credentials.ts";
import type { MerchantRegistration, RegisteredMerchant } from "../schemas/auth.ts";

/** A merchant and its secrets, which are recognisably fake (`auth.secrets`). */
export interface Merchant {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly webhookUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
  readonly createdAt: number;
}

type MerchantCredentials = Omit<GivenCredentials, "adminKey">;

const storedMerchant = shapeOf<Merchant>()(() => ({
  id: anyText,
  name: text,
  email: text,
  webhookUrl: z.optional(httpUrl),
  clientId: anyText,
  clientSecret: anyText,
  webhookSecret: z.string().check(z.regex(/^whsec_[\d+/A-Za-z]+={0,2}$/, "it is not a webhook secret")),
  createdAt: storedMoment,
}));

/** The merchants. One exists from the start; an administrator registers more. */
export class Merchants {
  readonly #engine: Engine;
  readonly #rows: Table<Merchant>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#rows = engine.table<Merchant>("merchants", {
      keys: { clientId: ({ clientId }) => clientId },
      identifies: ["id", "clientId"],
      row: storedMerchant,
    });
  }

  /** @param given ids and secrets that the test chose; the others are drawn */
  register({ name, email, webhookUrl }: MerchantRegistration, given: MerchantCredentials = {}): Merchant {
    const { random, now } = this.#engine;
    const merchant: Merchant = Object.freeze({
      id: given.merchantId ?? random.id("mer"),
      name,
      email,
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
      clientId: given.clientId ?? random.base62("secret/client-id", 24, "ci_fake_"),
      clientSecret: given.clientSecret ?? random.base62("secret/client-secret", 32, "csec_fake_"),
      webhookSecret: given.webhookSecret ?? random.webhookSecret("secret/webhook"),
      createdAt: now,
    });
    this.#rows.set(merchant.id, merchant);
    return merchant;
  }

  get(id: string): Merchant | undefined {
    return this.#rows.get(id);
  }

  byClientId(clientId: string): Merchant | undefined {
    return this.#rows.by("clientId", clientId);
  }

  /** The merchant that exists from the start. */
  first(): Merchant {
    const [first] = this.#rows.values();
    return first as Merchant;
  }
}

/** Returns a merchant as registration answers it. */
export function toRegisteredMerchant({ createdAt, ...merchant }: Merchant): RegisteredMerchant {
  return { ...merchant, createdAt: toTimestamp(createdAt) };
}
