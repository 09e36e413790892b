import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { ok } from "../merchant/answers.ts";
import { cardWith, order } from "../merchant/requests.ts";
import { merchantOf } from "./case.ts";
import type { CasesOf } from "./case.ts";

/** The moves of payments, sessions and deliveries that the document leaves open, and what lists hold. */
export const casesOfPayments: CasesOf<
  | "checkout.moves"
  | "intent.challenge-error"
  | "intent.confirm-request"
  | "intent.confirm-twice"
  | "intent.decline"
  | "transaction.dates"
  | "transaction.filters"
  | "webhook.success"
> = {
  "intent.challenge-error": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { id } = await merchant.createIntent();
      const { sessionToken } = await merchant.createCheckout();
      const subscription = await merchant.start();
      const calls = [
        () => merchant.confirm(id, "pm_card_challenge"),
        () => merchant.processCheckout(sessionToken, "pm_card_challenge"),
        () => merchant.processPayment(subscription.id, "pm_card_challenge"),
      ];
      const seen: unknown[] = [];
      for (const call of [...calls, ...calls]) {
        const { status, body } = await call();
        const { redirectUrl } = (body.data ?? body) as { readonly redirectUrl?: string };
        seen.push(`${status} ${redirectUrl === undefined ? "" : "with its page"}`);
      }
      return seen;
    },
    sees: [
      ["repeat", [...threeTimes("200 with its page"), ...threeTimes("402 with its page")]],
      ["never", [...threeTimes("200 with its page"), ...threeTimes("200 with its page")]],
      ["first", [...threeTimes("402 with its page"), ...threeTimes("402 with its page")]],
    ],
  },
  "intent.confirm-request": {
    async look(shop) {
      const { sim, assumptions } = shop;
      const merchant = await merchantOf(shop);
      const confirmed = async (...bodies: readonly object[]): Promise<unknown> => {
        const { id } = await merchant.createIntent();
        const seen: unknown[] = [];
        for (const body of bodies) {
          const answer = await merchant.call("POST", `/api/payment-intent/${id}/confirm`, body);
          const { errors = [] } = answer.body;
          seen.push(answer.status === 200 ? answer.body.data["status"] : errors.map(({ path }) => path).join(", "));
        }
        return seen.at(-1);
      };
      const down = "pm_card_processor_unavailable";
      const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch, assumptions });
      const byClient = async (body: object): Promise<unknown> => {
        const { id } = await client.paymentIntents.create({ amount: 1 });
        return (await client.paymentIntents.confirm(id, body)).status;
      };
      const schemas = (await sim.openapi()).components.schemas;
      const { properties = {} } = schemas["PaymentIntentConfirmRequest"] as { readonly properties?: object };
      return [
        await confirmed({ paymentMethodId: "pm_card_approved" }),
        await confirmed({ paymentMethod: "pm_card_approved" }),
        await confirmed({ creditCardDetails: cardWith("4242424242424242") }),
        await confirmed({ paymentMethodId: down, paymentMethod: down }, {}),
        await byClient({ paymentMethodId: "pm_card_approved" }),
        await byClient({ paymentMethod: "card", creditCardDetails: cardWith("4242424242424242") }),
        Object.keys(properties).join(" "),
      ];
    },
    sees: [
      [
        { method: "either", attached: "optional" },
        [
          "processing",
          "processing",
          "paymentMethodId",
          "processing",
          "processing",
          "processing",
          "paymentMethodId paymentMethod creditCardDetails contact",
        ],
      ],
      [
        { method: "paymentMethodId", attached: "optional" },
        [
          "processing",
          "paymentMethodId",
          "paymentMethodId",
          "processing",
          "processing",
          "processing",
          "paymentMethodId creditCardDetails contact",
        ],
      ],
      [
        { method: "paymentMethod", attached: "required" },
        [
          "paymentMethod",
          "processing",
          "paymentMethod",
          "paymentMethod",
          "processing",
          "processing",
          "paymentMethod creditCardDetails contact",
        ],
      ],
    ],
  },
  "intent.confirm-twice": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { id } = await merchant.createIntent();
      const { sessionToken } = await merchant.createCheckout();
      ok(await merchant.confirm(id));
      ok(await merchant.processCheckout(sessionToken, "pm_card_approved"));
      const again = async (): Promise<unknown[]> => {
        const answers = [
          await merchant.confirm(id, "pm_card_generic_decline"),
          await merchant.processCheckout(sessionToken, "pm_card_generic_decline"),
        ];
        return answers.map(({ status, body }) => (status === 200 ? body.data["status"] : body.code));
      };
      const during = await again();
      await shop.sim.clock.settle();
      return [during, await again(), shop.sim.transactions.list().map(({ status }) => status)];
    },
    sees: [
      ["refuse", [alreadyConfirmed(), alreadyConfirmed(), ["succeeded", "succeeded"]]],
      [
        "repeat",
        [
          ["processing", "processing"],
          ["succeeded", "completed"],
          ["succeeded", "succeeded"],
        ],
      ],
    ],
  },
  "intent.decline": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const seen: unknown[] = [];
      for (const method of ["pm_card_insufficient_funds", "pm_card_generic_decline"]) {
        const { id } = await merchant.createIntent();
        const { status, body } = await merchant.confirm(id, method);
        seen.push(status === 200 ? body.data["status"] : body.code);
        await shop.sim.clock.settle();
        seen.push((await merchant.intentStatus(id))["status"]);
      }
      return seen;
    },
    sees: [
      ["by-method", ["INSUFFICIENT_FUNDS", "failed", "processing", "failed"]],
      ["at-once", ["INSUFFICIENT_FUNDS", "failed", "failed", "failed"]],
      ["later", ["processing", "failed", "processing", "failed"]],
    ],
  },
  "checkout.moves": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      const { sessionToken: token, checkoutUrl } = await merchant.createCheckout();
      const processed = ok(await merchant.processCheckout(token, "pm_card_approved"))["status"];
      const during = await shown(shop.sim, token, async () => ok(await merchant.pollCheckout(token))["status"]);
      const back = await shop.sim.fetch(checkoutUrl, { redirect: "manual" });
      const returned = new URL(back.headers.get("location") ?? "").searchParams.get("status");
      await shop.sim.clock.settle();
      const after = await shown(shop.sim, token, async () => ok(await merchant.pollCheckout(token))["status"]);
      return [processed, during, returned, after, merchant.eventTypes];
    },
    sees: [
      [
        "show-processing",
        [
          "processing",
          ["processing", "processing", "processing"],
          "processing",
          ["completed", "completed", "succeeded"],
          ["checkout.processing", "checkout.completed"],
        ],
      ],
      [
        "hide-processing",
        [
          "pending",
          ["pending", "pending", "pending"],
          "pending",
          ["completed", "completed", "succeeded"],
          ["checkout.completed"],
        ],
      ],
    ],
  },
  "transaction.filters": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      for (const amount of [100, 200, 300]) {
        await merchant.createIntent({ amount });
        await shop.sim.clock.advance("1 day");
      }
      const found = async (query: string): Promise<unknown> => {
        const { items } = ok(
          await merchant.call<{ items: readonly { amount: number }[] }>("GET", `/api/transactions?${query}`),
        );
        return items.map(({ amount }) => amount);
      };
      return [
        await found("dateFrom=2026-01-01&dateTo=2026-01-02"),
        await found("dateFrom=2026-01-02T00:00:00Z&dateTo=2026-01-03T00:00:00Z"),
        await found("amountMin=100&amountMax=200"),
      ];
    },
    sees: [
      [
        { dates: "inclusive", amounts: "inclusive" },
        [
          [200, 100],
          [300, 200],
          [200, 100],
        ],
      ],
      [{ dates: "exclusive-end", amounts: "inclusive" }, [[100], [200], [200, 100]]],
      [{ dates: "exclusive-end", amounts: "exclusive-end" }, [[100], [200], [100]]],
    ],
  },
  "transaction.dates": {
    async look(shop) {
      const merchant = await merchantOf(shop);
      await shop.sim.clock.advance("9 hours");
      await merchant.createIntent();
      const found = async (query: string): Promise<number> => {
        const path = `/api/transactions?${query}`;
        return ok(await merchant.call<{ items: readonly object[] }>("GET", path)).items.length;
      };
      return [
        await found("dateTo=2026-01-01"),
        await found("dateTo=2026"),
        await found("dateFrom=2026-01-01&dateTo=2026-01-02"),
        await found("dateFrom=2026-01-01T09&dateTo=2026-01-01T09:00"),
      ];
    },
    sees: [
      ["whole", [1, 1, 1, 1]],
      ["first-moment", [0, 0, 1, 1]],
      [{ days: "whole", offset: "+08:00" }, [1, 1, 1, 0]],
      [{ days: "first-moment", offset: "-11:30" }, [1, 1, 0, 0]],
    ],
  },
  "webhook.success": {
    async look(shop) {
      const answers = [204, 201, 200];
      shop.sim.connect("https://shop.example", () => new Response(null, { status: answers.shift() ?? 500 }));
      await shop.post("/api/checkout", order());
      await shop.sim.clock.advance("2 days");
      return shop.sim.webhooks.events().map(({ status, attempts }) => [status, attempts]);
    },
    sees: [
      ["any-2xx", [["delivered", 1]]],
      ["200-alone", [["delivered", 3]]],
    ],
  },
};

function threeTimes(seen: string): readonly string[] {
  return [seen, seen, seen];
}

function alreadyConfirmed(): readonly string[] {
  return ["INTENT_ALREADY_CONFIRMED", "INTENT_ALREADY_CONFIRMED"];
}

/** Returns the status of a session in a poll, in its reader and in its transaction. */
async function shown(sim: Simulator, token: string, poll: () => Promise<unknown>): Promise<unknown[]> {
  return [await poll(), sim.checkouts.get(token)?.status, sim.transactions.last()?.status];
}
