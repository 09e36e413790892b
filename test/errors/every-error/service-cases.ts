import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { vi } from "vitest";
import { Merchant } from "../../merchant.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

const fileOf = (text: string): string => {
  const file = join(newFolder(), "assumptions.json");
  writeFileSync(file, text);
  return file;
};
const clientOf = ({ baseUrl, authUrl, credentials, fetch }: Simulator, more: object = {}) => {
  const { clientId, clientSecret } = credentials;
  return createClient({ baseUrl, authUrl, clientId, clientSecret, fetch, ...more });
};
const credentials =
  (given: unknown): Cause =>
  () =>
    createSimulator({ credentials: given as never });

/** What goes wrong with options, assumptions, faults, and what a test does in the place of the service and its customers. */
export const serviceCauses: Causes = {
  INVALID_ASSUMPTION: {
    "a file that is no object": () => createSimulator({ assumptions: fileOf("[]") }),
    "a file whose assumptions are no object": () => createSimulator({ assumptions: fileOf('{ "assumptions": 3 }') }),
    "a file that is no JSON": () => createSimulator({ assumptions: fileOf("") }),
    "a file in a process that has none": () => {
      const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
      try {
        createSimulator({ assumptions: "assumptions.json" });
      } finally {
        modules.mockRestore();
      }
    },
    "a file with an unknown id": () => createSimulator({ assumptions: fileOf('{ "checkout.lifetme": "1 hour" }') }),
  },
  INVALID_FAULT: {
    "no plain data": ({ faults }) =>
      faults.add({
        get kind(): never {
          throw new Error("the kind is gone");
        },
      }),
    "no kind": ({ faults }) => faults.add({} as never),
    "two things that exclude each other": ({ faults }) =>
      faults.add({ kind: "response.lost", nth: 2, times: 3 } as never),
  },
  INVALID_OPTION: {
    "createSimulator: an unknown option": () => createSimulator({ sed: 42 } as never),
    "createSimulator: a wrong value": () => createSimulator({ seed: true as never }),
    "createSimulator: a clock that stands": () => createSimulator({ clock: { real: 0 } }),
    "createSimulator: a wrong moment": () => createSimulator({ now: "tomorrow" }),
    "createSimulator: an unknown credential": () => createSimulator({ credentials: { clientid: "x" } as never }),
    "createSimulator: no object": () => createSimulator("seed" as never),
    "createClient: an unknown option": (sim) => clientOf(sim, { fetsh: fetch }),
    "sim.ledger: an unknown currency": (sim) => sim.ledger("PPH"),
    "intents.list: an unknown field": ({ intents }) => intents.list({ stauts: "failed" } as never),
    "intents.list: an unknown status": ({ intents }) => intents.list({ status: "paid" as never }),
    "webhooks.events: an unknown type": ({ webhooks }) => webhooks.events({ type: "payment_intent.suceeded" as never }),
    "paymentMethods.create: a wrong card": ({ paymentMethods }) =>
      paymentMethods.create({ cardNumber: "4111111111111112", expMonth: "12", expYear: "30", cvc: "123" }),
    "createSimulator: wrong assumptions": () => createSimulator({ assumptions: ["none"] as never }),
    "createSimulator: a wrong keep": () => createSimulator({ keep: 0 }),
    "createSimulator: an option of an earlier version": () => createSimulator({ history: { keep: 5 } } as never),
    "createSimulator: an option of a test": () => createSimulator({ keepTokens: true } as never),
    "createSimulator: a wrong recording": () => createSimulator({ recording: "yes" as never }),
    "createSimulator: a wrong webhookUrl": () => createSimulator({ webhookUrl: "/hooks" }),
    "createSimulator: credentials that are no object": credentials("secret"),
    "createSimulator: a wrong credential": credentials({ clientId: "" }),
    "createClient: an operation of the administrator without a key": (sim) => clientOf(sim).checkout.session("cs_1"),
    "faults: struck no times": ({ faults }) => faults.add({ kind: "response.lost" }).struck(0),
    "faults: struck twice by the nth alone": ({ faults }) => faults.add({ kind: "response.lost", nth: 3 }).struck(2),
    "paymentMethods.create: a card without its fields": ({ paymentMethods }) =>
      paymentMethods.create({ cardNumber: "4111" } as never),
  },
  INVALID_STATE: {
    "intents.cancel of one that a checkout session embeds": async (sim) => {
      const merchant = await Merchant.of(sim);
      const { sessionToken } = await merchant.createCheckout();
      await merchant.processCheckout(sessionToken, "pm_card_challenge");
      sim.intents.cancel(sim.intents.last()?.id ?? "");
    },
    "sim.ledger() past what a number counts": async () => {
      const sim = createSimulator({ keep: 1 });
      const snapshot = sim.snapshot();
      const { world } = snapshot;
      const forgotten = { amount: String(Number.MAX_SAFE_INTEGER), fee: "0" };
      const tables = { ...world.tables, "brought-forward": [["PHP", forgotten]] as const };
      sim.restore({ ...snapshot, world: { ...world, tables } }, { edited: true });
      const merchant = await Merchant.of(sim);
      await merchant.pay({});
      await sim.clock.settle();
      sim.ledger();
    },
  },
  INVALID_URL: {
    "customer.authenticate: a hosted page": async (sim) =>
      sim.customer.authenticate((await (await Merchant.of(sim)).createCheckout())["checkoutUrl"]),
    "customer.pay: a challenge": async (sim) => {
      const { paymentIntents } = clientOf(sim);
      const { id } = await paymentIntents.create({ amount: 10000 });
      const { redirectUrl } = await paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
      await sim.customer.pay(redirectUrl, "gcash");
    },
  },
  ServiceError: {
    "an error of the service": (sim) => clientOf(sim).paymentIntents.status("pi_unknown"),
    "a body that the service refuses": (sim) => clientOf(sim).paymentIntents.create({ amount: -5 }),
    "an answer that is not the service's": (sim) => {
      sim.faults.add({ kind: "response.truncated", route: "transaction.list" });
      return clientOf(sim).transactions.list();
    },
    "a wrong secret": (sim) => clientOf(sim, { clientSecret: "wrong" }).transactions.list(),
  },
};
