import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import * as z from "zod/mini";
import type { Engine } from "../../kit/engine/engine.ts";
import { anyText, shapeOf, textIfAny } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import { ApiError } from "../api-error.ts";
import { brandOf, testMethodOf, testMethodOfNumber, testMethods } from "../test-methods.ts";
import type { PaymentMethodKind } from "../test-methods.ts";
import type { CardDetails } from "../schemas/payment-methods.ts";

/** A payment method as intents store it: the details that are shown, and the test method that it behaves like. */
export interface PaymentMethod {
  readonly id: string;
  readonly kind: PaymentMethodKind;
  readonly brand?: string;
  readonly last4?: string;
  readonly expiry?: { readonly month: number; readonly year: number };
  /** The id of the test method that it behaves like. */
  readonly behaviour: string;
}

/** A card under its minted id. Only its merchant may charge it, or every merchant if it has none. */
interface MintedCard {
  readonly method: PaymentMethod;
  readonly merchantId?: string;
}

/** A payment method in a row. */
export const storedPaymentMethod = shapeOf<PaymentMethod>()(() => ({
  id: anyText,
  kind: z.enum([...new Set(testMethods.map(({ kind }) => kind))]),
  brand: textIfAny,
  last4: textIfAny,
  expiry: z.optional(
    z.strictObject({
      month: z.int().check(z.minimum(1), z.maximum(12)),
      year: z.int().check(z.minimum(0), z.maximum(9999)),
    }),
  ),
  behaviour: z.enum(testMethods.map(({ id }) => id)),
}));

const mintedCard = shapeOf<MintedCard>()(() => ({ method: storedPaymentMethod, merchantId: textIfAny }));

/** The payment methods that calls can name: test methods, and cards with a minted `pm_` id. */
export class PaymentMethods {
  readonly #engine: Engine;
  readonly #minted: Table<MintedCard>;
  /** Payments with the same test method share it. */
  readonly #sharedByTestMethod = new Map<string, PaymentMethod>();

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#minted = engine.table("payment-methods", { row: mintedCard, identifies: ["id"] });
  }

  /**
   * Returns the payment method with an id.
   * @throws {ApiError} `PAYMENT_METHOD_INVALID` for an unknown id, another merchant's card, or a raw card number
   */
  resolve(id: string, merchantId: string): PaymentMethod {
    const minted = this.#minted.get(id);
    if (minted !== undefined && (minted.merchantId ?? merchantId) === merchantId) return minted.method;
    const method = this.#sharedByTestMethod.get(id) ?? this.#testMethod(id);
    if (method !== undefined) return method;
    const message = /^[\d -]{12,}$/.test(id)
      ? "A card number is not a payment method id; send it as creditCardDetails"
      : undefined;
    throw new ApiError("PAYMENT_METHOD_INVALID", message === undefined ? {} : { message });
  }

  #testMethod(named: string): PaymentMethod | undefined {
    const found = testMethodOf(named);
    if (found === undefined) return undefined;
    const { id, kind, numbers } = found;
    const method = Object.freeze({
      id,
      kind,
      behaviour: id,
      ...(numbers[0] === undefined ? {} : faceOf(numbers[0])),
    });
    this.#sharedByTestMethod.set(named, method);
    return method;
  }

  /**
   * Stores a card under a new `pm_` id: its brand, last four digits, expiry and behaviour, never its number or CVC.
   * @param merchantId the only merchant who may charge it; without it, every merchant may
   * @throws {ApiError} `PAYMENT_METHOD_INVALID` for a number that fails the Luhn check
   */
  mint({ cardNumber, expMonth, expYear }: CardDetails, merchantId?: string): PaymentMethod {
    const number = cardNumber.replaceAll(/[ -]/g, "");
    const method = testMethodOfNumber(number);
    if (method === undefined) throw new ApiError("PAYMENT_METHOD_INVALID", { message: "The card number is invalid" });
    const year = Number(expYear);
    const card: PaymentMethod = Object.freeze({
      id: this.#engine.random.id("pm"),
      kind: method.kind,
      ...faceOf(number),
      expiry: { month: Number(expMonth), year: year < 100 ? 2000 + year : year },
      behaviour: method.id,
    });
    this.#minted.set(card.id, Object.freeze({ method: card, ...(merchantId === undefined ? {} : { merchantId }) }));
    return card;
  }
}

/** Whether a card has expired at a virtual time in milliseconds since 1970. */
export function isPastExpiry({ expiry }: PaymentMethod, now: number): boolean {
  return expiry !== undefined && now >= OriginalDate.UTC(expiry.year, expiry.month, 1);
}

function faceOf(number: string): { brand: string; last4: string } {
  return { brand: brandOf(number), last4: number.slice(-4) };
}
