import { assumptionTable, createSimulator } from "centavo";
import type { ChangeableAssumptionId } from "centavo";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { ok } from "../merchant/answers.ts";
import { callWith, cardWith, order, planBody, requestToken, startOf, tokensOf } from "../merchant/requests.ts";
import type { Case, CasesOf, Shop } from "./case.ts";
import { casesOfAccess } from "./cases-of-access.ts";
import { casesOfBodies } from "./cases-of-bodies.ts";
import { casesOfPayments } from "./cases-of-payments.ts";
import { casesOfPaths } from "./cases-of-paths.ts";
import { casesOfSubscriptions } from "./cases-of-subscriptions.ts";

const INTENT = "/api/payment-intent";
const DAY = 86_400_000;
const none = { percent: 0, fixed: 0 };
const tooSmall = (minimum: number): string => `Amount must be at least ${minimum} (in cents)`;
const EMPTY = "must be text of at least 1 character";
const taking99 = ["taken", tooSmall(1), tooSmall(1)];
const taking100 = [tooSmall(100), tooSmall(100), tooSmall(100)];

/** An assumption without a case does not compile. */
const cases: CasesOf<ChangeableAssumptionId> = {
  ...casesOfAccess,
  ...casesOfBodies,
  ...casesOfPaths,
  ...casesOfPayments,
  ...casesOfSubscriptions,
  "http.success-status": {
    look: async ({ sim, post }) => [
      (await post(INTENT, { amount: 1 })).status,
      (await post("/api/checkout", order())).status,
      (await post("/api/subscription/plans", planBody())).status,
      (await post(`${INTENT}/${sim.intents.list()[0]?.id}/confirm`, { paymentMethodId: "pm_card_approved" })).status,
      Object.keys((await sim.openapi()).paths["/api/checkout"]?.["post"]?.responses ?? {})[0],
    ],
    sees: [
      [200, [200, 200, 200, 200, "200"]],
      [201, [201, 201, 201, 200, "201"]],
      [{ "checkout.create": 201, "payment-intent.confirm": 202 }, [200, 201, 200, 202, "201"]],
    ],
  },
  "http.envelope": {
    async look({ post }) {
      const { body } = await post(INTENT, { amount: 1 });
      return [Object.keys(body), "amount" in body];
    },
    sees: [
      [{ success: true, data: "{data}" }, [["success", "data"], false]],
      [{ result: "ok", payload: "{data}" }, [["result", "payload"], false]],
      ["{data}", [expect.arrayContaining(["id", "amount"]), true]],
    ],
  },
  "http.error-body": {
    look: async ({ post }) => [(await post(INTENT, { amount: 0 })).body, (await post("/api/nothing")).body],
    sees: [
      [
        assumptionTable["http.error-body"].value,
        [
          {
            success: false,
            message: tooSmall(1),
            code: "VALIDATION_ERROR",
            errors: [{ path: "amount", message: tooSmall(1), code: "validation_error" }],
          },
          { success: false, message: "There is nothing at /api/nothing", code: "NOT_FOUND", errors: [] },
        ],
      ],
      [
        { errors: [{ code: "{problems.code}", detail: "{problems.message}", source: { pointer: "{problems.path}" } }] },
        [
          { errors: [{ code: "VALIDATION_ERROR", detail: tooSmall(1), source: { pointer: "amount" } }] },
          { errors: [{ code: "NOT_FOUND", detail: "There is nothing at /api/nothing", source: {} }] },
        ],
      ],
      [
        { error: { type: "{code}", message: "{message} ({status})" } },
        [
          { error: { type: "VALIDATION_ERROR", message: `${tooSmall(1)} (400)` } },
          { error: { type: "NOT_FOUND", message: "There is nothing at /api/nothing (404)" } },
        ],
      ],
    ],
  },
  "http.error-codes": {
    async look({ post }) {
      const { body } = await post("/api/nothing");
      return [body["code"], body["message"]];
    },
    sees: [
      [{}, ["NOT_FOUND", "There is nothing at /api/nothing"]],
      [{ NOT_FOUND: { code: "resource_missing" } }, ["resource_missing", "There is nothing at /api/nothing"]],
      [{ NOT_FOUND: { message: "No such resource" } }, ["NOT_FOUND", "No such resource"]],
    ],
  },
  "http.error-status": {
    look: async ({ post }) => [(await post(INTENT, { amount: 0 })).status, (await post("/api/nothing")).status],
    sees: [
      [{}, [400, 404]],
      [{ VALIDATION_ERROR: 422 }, [422, 404]],
    ],
  },
  "http.rate-limit": {
    look: async ({ post }) => [(await post(INTENT, { amount: 1 })).status, (await post(INTENT, { amount: 1 })).status],
    sees: [
      ["none", [200, 200]],
      [{ requests: 1, per: "1 minute" }, [200, 429]],
    ],
  },
  "http.bounds": {
    async look({ sim, post }) {
      const told = async (path: string, body: object): Promise<unknown> => {
        const {
          status,
          body: { errors = [], message },
        } = (await post(path, body)) as unknown as {
          status: number;
          body: { errors?: readonly { path: string; message: string }[]; message?: string };
        };
        return status === 200
          ? "taken"
          : errors.length === 0
            ? message
            : errors.map((each) => `${each.path} ${each.message}`).join("; ");
      };
      const long = {
        description: "é".repeat(150),
        contact: { name: "é".repeat(21) },
        returnUrl: `https://shop.example/${"a".repeat(90)}`,
      };
      const create = (await sim.openapi()).components.schemas["PaymentIntentCreateRequest"] as {
        properties: Record<string, object>;
      };
      return [
        await told(INTENT, { amount: 50_000, ...long }),
        await told(INTENT, { amount: 50_001, metadata: { one: "1", two: "22222", three: { a: 1 } } }),
        await told("/api/checkout", order({ amount: 50_001 })),
        await told(INTENT, { amount: 1, metadata: { long: "a".repeat(400), longer: "a".repeat(400) } }),
        create.properties["amount"],
        create.properties["description"],
      ];
    },
    sees: [
      [
        {},
        [
          "taken",
          "taken",
          "taken",
          "taken",
          expect.objectContaining({ minimum: 1, maximum: 99_999_999_999 }),
          expect.objectContaining({ maxLength: 1000 }),
        ],
      ],
      [
        { amount: 50_000, text: 20, url: 100, metadataKeys: 2, metadataValue: 4, body: 800 },
        [
          "description must have at most 20 characters; contact.name must have at most 20 characters; returnUrl must have at most 100 characters",
          "amount must be a number of at most 50000; metadata must have at most 2 keys; metadata must have values of at most 4 characters as text",
          "amount must be a number of at most 50000",
          "The body is larger than 800 bytes",
          expect.objectContaining({ minimum: 1, maximum: 50_000 }),
          expect.objectContaining({ maxLength: 20 }),
        ],
      ],
    ],
  },
  "http.metadata": {
    look: async ({ post }) => [
      (await post(INTENT, { amount: 1, metadata: { size: "42" } })).status,
      (await post("/api/checkout", order({ metadata: { size: 42 } }))).status,
    ],
    sees: [
      ["any", [200, 200]],
      ["texts", [200, 400]],
    ],
  },
  "intent.payment-methods": {
    look: async ({ post }) => ok(await post(INTENT, { amount: 1 }))["paymentMethods"],
    sees: [
      [
        ["gcash", "grab_pay", "card"],
        ["gcash", "grab_pay", "card"],
      ],
      [["card"], ["card"]],
    ],
  },
  "intent.return": {
    look: async (shop) => {
      const challenge = await challenged(shop);
      return returnedTo(challenge.redirectedTo, challenge.id);
    },
    sees: [
      [{ intentId: "{intentId}", externalId: "{externalId}", status: "{status}" }, "?intentId=…&status=processing"],
      [{ pi: "{intentId}", order: "{externalId}", result: "is {status}" }, "?pi=…&result=is+processing"],
      [{}, ""],
    ],
  },
  "checkout.return": {
    async look({ sim, post }) {
      const { checkoutUrl, sessionToken } = ok(await post("/api/checkout", order()));
      const { redirectedTo = "" } = await sim.customer.cancel(String(checkoutUrl));
      return returnedTo(redirectedTo, String(sessionToken));
    },
    sees: [
      [
        { sessionToken: "{sessionToken}", externalId: "{externalId}", status: "{status}" },
        "?sessionToken=…&externalId=order-1&status=cancelled",
      ],
      [{ cs: "{sessionToken}" }, "?cs=…"],
      [{}, ""],
    ],
  },
  "webhook.user-agent": {
    look: async (shop) => (await delivered(shop)).map(({ headers }) => headers.get("user-agent"))[0],
    sees: [
      ["Centavo", "Centavo"],
      ["Webhooks/1.0", "Webhooks/1.0"],
    ],
  },
  "http.texts": {
    async look({ sim, post }) {
      const refused = async (path: string, body: object): Promise<unknown> => {
        const { status, body: answer } = await post(path, body);
        return status === 200 ? "taken" : answer.errors?.map((each) => `${each.path} ${each.message}`).join("; ");
      };
      const contact = (fields: object): object => ({ name: "Ana", email: "ana@customer.example", ...fields });
      const plan = ok(await post("/api/subscription/plans", planBody()));
      const { schemas } = (await sim.openapi()).components;
      const { webhookUrl, returnUrl } = (
        schemas["PaymentIntentCreateRequest"] as {
          readonly properties: Readonly<Record<string, { readonly pattern?: string }>>;
        }
      ).properties;
      return [
        await refused(INTENT, { amount: 1, contact: { name: "", email: "", phone: "" } }),
        await refused(INTENT, { amount: 1, contact: { email: "ana", phone: "0917 123 4567" } }),
        await refused("/api/checkout", order({ contact: contact({ contact: "+639171234567" }) })),
        await refused(
          "/api/subscription/initiate",
          startOf(String(plan["id"]), { contact: contact({ email: "ana" }) }),
        ),
        await refused(
          "/api/checkout",
          order({ webhookUrl: "http://shop.example/", returnUrl: "http://shop.example/" }),
        ),
        await refused("/api/checkout", order({ externalId: "" })),
        [webhookUrl, returnUrl].map((each) => new RegExp(String(each?.pattern)).test("http://shop.example/")),
      ];
    },
    sees: [
      [
        assumptionTable["http.texts"].value,
        [
          ["name", "email", "phone"].map((name) => `contact.${name} ${EMPTY}`).join("; "),
          "taken",
          "taken",
          "taken",
          "taken",
          `externalId ${EMPTY}`,
          [true, true],
        ],
      ],
      [
        { name: "any", email: "any", phone: "any", url: "http" },
        ["taken", "taken", "taken", "taken", "taken", `externalId ${EMPTY}`, [true, true]],
      ],
      [
        { name: "any", email: "address", phone: "international", url: "https" },
        [
          "contact.email must be an e-mail address; contact.phone must be a phone number such as +639171234567",
          "contact.email must be an e-mail address; contact.phone must be a phone number such as +639171234567",
          "taken",
          "contact.email must be an e-mail address",
          "webhookUrl must be an https URL without spaces, user name and password; returnUrl must be an https URL without spaces, user name and password",
          `externalId ${EMPTY}`,
          [false, false],
        ],
      ],
    ],
  },
  "http.minimum-amount": {
    async look({ post }) {
      const told = async (path: string, body: (amount: number) => object): Promise<unknown[]> => {
        const answers = [await post(path, body(99)), await post(path, body(0.5)), await post(path, body(0))];
        return answers.map(({ status, body: { message } }) => (status === 200 ? "taken" : message));
      };
      return [
        await told(INTENT, (amount) => ({ amount })),
        await told("/api/subscription/plans", (amount) => planBody({ amount })),
        await told("/api/checkout", (amount) => order({ amount })),
      ];
    },
    sees: [
      [1, [taking99, taking99, taking99]],
      [100, [taking100, taking100, taking99]],
    ],
  },
  "http.cors": {
    async look({ sim }) {
      const headers = { origin: "https://shop.example", "access-control-request-method": "POST" };
      const [preflight, answer] = [
        await sim.fetch(INTENT, { method: "OPTIONS", headers }),
        await sim.fetch(INTENT, { headers }),
      ];
      return [preflight, answer].map((each) => each.headers.get("access-control-allow-origin"));
    },
    sees: [
      ["any", ["*", "*"]],
      ["none", [null, null]],
    ],
  },
  "http.unknown-fields": {
    look: async ({ post }) => (await post(INTENT, { amount: 1, colour: "red" })).status,
    sees: [
      ["ignore", 200],
      ["refuse", 400],
    ],
  },
  "http.idempotency-key": {
    async look({ sim }) {
      const { access } = await tokensOf(sim);
      const create = async (): Promise<unknown> => {
        const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
        const init = { method: "POST", headers: { ...headers, "idempotency-key": "order-1" }, body: '{"amount":1}' };
        return ((await (await sim.fetch(INTENT, init)).json()) as { data: { id: string } }).data.id;
      };
      const first = await create();
      const soon = (await create()) === first;
      await sim.clock.advance("30 minutes");
      return { soon, later: (await create()) === first };
    },
    sees: [
      ["24 hours", { soon: true, later: true }],
      ["10 minutes", { soon: true, later: false }],
      ["off", { soon: false, later: false }],
    ],
  },
  "http.external-id": {
    async look({ post }) {
      await post(INTENT, { amount: 1, externalId: "order-1" });
      return (await post(INTENT, { amount: 1, externalId: "order-1" })).status;
    },
    sees: [
      ["note", 200],
      ["refuse", 400],
    ],
  },
  "auth.token-request": {
    async look({ sim }) {
      const { clientId, clientSecret } = sim.credentials;
      const asked = async (body: BodyInit, headers: Record<string, string> = {}): Promise<number> =>
        (await sim.fetch("/oauth", { method: "POST", body, headers })).status;
      const rfc = { client_id: clientId, client_secret: clientSecret };
      const json = { "content-type": "application/json" };
      const basic = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` };
      return {
        form: await asked(new URLSearchParams(rfc)),
        json: await asked(JSON.stringify(rfc), json),
        basic: await asked(new URLSearchParams({ grant_type: "client_credentials" }), basic),
        named: await asked(new URLSearchParams({ key: clientId, client_secret: clientSecret })),
      };
    },
    sees: [
      [{}, { form: 200, json: 200, basic: 200, named: 400 }],
      [{ format: "form" }, { form: 200, json: 415, basic: 200, named: 400 }],
      [{ client: "body" }, { form: 200, json: 200, basic: 400, named: 400 }],
      [{ client: "basic" }, { form: 401, json: 401, basic: 200, named: 401 }],
      [{ names: { client_id: "key" } }, { form: 400, json: 400, basic: 200, named: 200 }],
    ],
  },
  "auth.token-response": {
    async look({ sim }) {
      const { clientId, clientSecret } = sim.credentials;
      const { body } = await requestToken(sim, { client_id: clientId, client_secret: clientSecret });
      return Object.entries(body).map(([name, value]) => [name, typeof value]);
    },
    sees: [
      [
        assumptionTable["auth.token-response"].value,
        [
          ["access_token", "string"],
          ["token_type", "string"],
          ["expires_in", "number"],
          ["refresh_token", "string"],
        ],
      ],
      [
        { token: "{access_token}", until: "{expires_at}" },
        [
          ["token", "string"],
          ["until", "string"],
        ],
      ],
    ],
  },
  "auth.token-lifetime": {
    async look({ sim, post }) {
      await sim.clock.advance("90 seconds");
      return (await post(INTENT, { amount: 1 })).body["message"];
    },
    sees: [
      ["1 hour", undefined],
      ["90 seconds", "Token expired"],
    ],
  },
  "auth.token-errors": {
    look: async ({ sim }) =>
      (await requestToken(sim, { grant_type: "refresh_token", refresh_token: "rt_fake_nobody" })).status,
    sees: [
      [400, 400],
      [401, 401],
    ],
  },
  "auth.refresh": {
    async look({ sim }) {
      const { refresh } = await tokensOf(sim);
      await sim.clock.advance("1 day");
      return (await requestToken(sim, { grant_type: "refresh_token", refresh_token: refresh })).body["code"];
    },
    sees: [
      ["30 days", undefined],
      ["1 day", "INVALID_REFRESH_TOKEN"],
    ],
  },
  "intent.create-fields": {
    async look({ sim, post }) {
      const problems = async (body: object): Promise<unknown> => {
        const { errors = [] } = (await post(INTENT, body)).body as {
          errors?: readonly { path: string; message: string }[];
        };
        return errors.map(({ path, message }) => `${path} ${message}`);
      };
      const { components } = await sim.openapi();
      return [
        await problems({ amount: 1 }),
        await problems({ amount: 1, description: "Shoes", contact: { name: "Ana", email: "" } }),
        await problems({ amount: 1, description: "Shoes", contact: { name: "Ana", email: "ana@customer.example" } }),
        components.schemas["PaymentIntentCreateRequest"]?.["required"],
      ];
    },
    sees: [
      [[], [[], ["contact.email must be text of at least 1 character"], [], ["amount"]]],
      [
        ["description", "contact.email"],
        [
          ["description is required", "contact is required"],
          ["contact.email must be text of at least 1 character"],
          [],
          ["amount", "description", "contact"],
        ],
      ],
    ],
  },
  "intent.pending": {
    look: async ({ post }) => ok(await post(INTENT, { amount: 1 }))["status"],
    sees: [
      ["pending", "pending"],
      ["requires_payment_method", "requires_payment_method"],
    ],
  },
  "intent.processing-time": {
    async look(shop) {
      const id = await confirmed(shop, "pm_card_approved");
      const statuses = [];
      for (const step of [0, 4999, 1]) {
        await shop.sim.clock.advance({ milliseconds: step });
        statuses.push(shop.sim.intents.get(id)?.status);
      }
      return statuses;
    },
    sees: [
      ["0 seconds", ["succeeded", "succeeded", "succeeded"]],
      ["5 seconds", ["processing", "processing", "succeeded"]],
    ],
  },
  "intent.authentication": {
    async look(shop) {
      const ids = [];
      for (const method of ["pm_card_challenge", "pm_gcash", "pm_grab_pay"]) ids.push(await confirmed(shop, method));
      await shop.sim.clock.advance("1 day");
      return ids.map((id) => {
        const { declineCode, updatedAt = "", createdAt = "" } = shop.sim.intents.get(id) ?? {};
        return [declineCode, (Date.parse(updatedAt) - Date.parse(createdAt)) / 60_000];
      });
    },
    sees: [
      [
        { card: "1 hour", gcash: "4 hours", grab_pay: "15 minutes" },
        [60, 240, 15].map((minutes) => ["authentication_expired", minutes]),
      ],
      [
        { card: "1 minute", gcash: "2 minutes", grab_pay: "3 minutes" },
        [1, 2, 3].map((minutes) => ["authentication_expired", minutes]),
      ],
    ],
  },
  "intent.card-details": {
    async look({ sim, post }) {
      const id = String(ok(await post(INTENT, { amount: 100 }))["id"]);
      const creditCardDetails = cardWith("4343434343434345");
      const refused = await post(`${INTENT}/${id}/confirm`, { paymentMethod: "pm_gcash", creditCardDetails });
      return [refused.status, refused.body["errors"], sim.intents.get(id)?.status];
    },
    sees: [
      ["note", [200, undefined, "requires_action"]],
      ["refuse", [400, [expect.objectContaining({ path: "creditCardDetails" })], "requires_payment_method"]],
    ],
  },
  "intent.fee": {
    async look(shop) {
      const fees = [];
      for (const method of ["pm_card_approved", "pm_gcash", "pm_grab_pay"])
        fees.push(shop.sim.intents.get(await confirmed(shop, method, 100_000))?.fee);
      return fees;
    },
    sees: [
      [
        {
          card: { percent: 3.5, fixed: 1500 },
          gcash: { percent: 2.5, fixed: 0 },
          grab_pay: { percent: 2.2, fixed: 0 },
        },
        [5000, 2500, 2200],
      ],
      [{ card: { percent: 10, fixed: 7 }, gcash: none, grab_pay: { percent: 1, fixed: 0 } }, [10_007, 0, 1000]],
    ],
  },
  "checkout.retry": {
    async look({ sim, post }) {
      const { sessionToken } = ok(await post("/api/checkout", order()));
      const statuses = [];
      for (const _ of [1, 2]) {
        await post(`/api/checkout/process/${sessionToken}`, { paymentMethodId: "pm_card_generic_decline" });
        await sim.clock.settle();
        statuses.push(sim.checkouts.get(String(sessionToken))?.status);
      }
      return statuses;
    },
    sees: [
      [0, ["failed", "failed"]],
      [1, ["pending", "failed"]],
    ],
  },
  "checkout.lifetime": {
    async look({ sim, post }) {
      const { sessionToken, expiresAt } = ok(await post("/api/checkout", order()));
      await sim.clock.advance("30 minutes");
      return [expiresAt, sim.checkouts.get(String(sessionToken))?.status];
    },
    sees: [
      ["24 hours", ["2026-01-02T00:00:00.000Z", "pending"]],
      ["30 minutes", ["2026-01-01T00:30:00.000Z", "expired"]],
    ],
  },
  "checkout.expired-token": {
    async look({ sim, post }) {
      const token = String(ok(await post("/api/checkout", order()))["sessionToken"]);
      const read = async (): Promise<number[]> => {
        const { access } = await tokensOf(sim);
        const headers = { "x-admin-key": sim.credentials.adminKey };
        const admin = await sim.fetch(`/api/checkout/session/${token}`, { headers });
        const others = ["checkout/polling", "transactions/payment-sessions"].map((path) =>
          callWith(access, sim, `/api/${path}/${token}`),
        );
        return [admin.status, ...(await Promise.all(others)).map(({ status }) => status)];
      };
      await sim.clock.advance({ milliseconds: DAY - 1 });
      const before = await read();
      await sim.clock.advance("1 millisecond");
      return [before, await read()];
    },
    sees: [
      [
        "show",
        [
          [200, 200, 200],
          [200, 200, 200],
        ],
      ],
      [
        "not-found",
        [
          [200, 200, 200],
          [404, 404, 200],
        ],
      ],
    ],
  },
  "return.schemes": {
    async look({ post }) {
      const answers = ["myshop://back", "yourshop://back"].map((returnUrl) => post(INTENT, { amount: 1, returnUrl }));
      return (await Promise.all(answers)).map(({ status }) => status);
    },
    sees: [
      [[], [400, 400]],
      [["myshop"], [200, 400]],
    ],
  },
  "subscription.off-session-challenge": {
    async look(shop) {
      const subscriptionId = await subscribed(shop);
      const card = { subscriptionId, paymentMethodId: "pm_card_challenge_always" };
      const paid = ok(await shop.post("/api/subscription/process-payment", card));
      await shop.sim.customer.authenticate(String(paid["redirectUrl"]));
      await shop.sim.clock.advance("1 month");
      return shop.sim.invoices.last()?.paymentIntent.status;
    },
    sees: [
      ["decline", "failed"],
      ["redirect", "requires_action"],
    ],
  },
  "subscription.cancel": {
    async look(shop) {
      const subscription = await subscribed(shop);
      const { access } = await tokensOf(shop.sim);
      const headers = { authorization: `Bearer ${access}` };
      await shop.sim.fetch(`/api/subscription/${subscription}`, { method: "DELETE", headers });
      return [shop.sim.subscriptions.get(subscription)?.status, shop.sim.invoices.last()?.status];
    },
    sees: [
      ["void", ["cancelled", "void"]],
      ["keep", ["cancelled", "open"]],
    ],
  },
  "subscription.wallets": {
    async look(shop) {
      const subscriptionId = await subscribed(shop);
      const wallet = { subscriptionId, paymentMethodId: "pm_gcash" };
      const paid = await shop.post("/api/subscription/process-payment", wallet);
      if (paid.status === 200) await shop.sim.customer.authenticate(String(ok(paid)["redirectUrl"]));
      await shop.sim.clock.settle();
      return [paid.status, shop.sim.subscriptions.get(subscriptionId)?.status];
    },
    sees: [
      ["refuse", [400, "incomplete"]],
      ["allow", [200, "active"]],
    ],
  },
  "webhook.checkout": {
    async look({ sim, post }) {
      const bodies: string[] = [];
      sim.connect("https://shop.example", async (request) => {
        bodies.push(await request.text());
        return new Response();
      });
      await post("/api/checkout", order());
      await sim.clock.advance("25 hours");
      return Object.entries(JSON.parse(bodies[0] ?? "{}") as object).filter(([, value]) =>
        String(value).includes("exp"),
      );
    },
    sees: [
      [
        {},
        [
          ["type", "checkout.expired"],
          ["status", "expired"],
        ],
      ],
      [
        { types: { "checkout.expired": "session.expired" } },
        [
          ["type", "session.expired"],
          ["status", "expired"],
        ],
      ],
      [
        {
          body: {
            event: "{event.type} of {sessionToken}",
            at: "{event.created}",
            id: "{event.id}",
            name: "{event.type}",
            token: "{sessionToken}",
            order: "{externalId}",
            transaction: "{transactionId}",
            price: "{amount}",
            notes: "{metadata}",
            was: "{status}",
          },
        },
        [
          ["event", expect.stringMatching(/^checkout\.expired of .+/)],
          ["name", "checkout.expired"],
          ["was", "expired"],
        ],
      ],
    ],
  },
  "webhook.intent": {
    async look(shop) {
      return Object.keys(JSON.parse((await delivered(shop))[0]?.body ?? "{}") as object);
    },
    sees: [
      [{}, ["id", "type", "createdAt", "data"]],
      [
        { body: { event: "{event.id}", name: "{event.type}", when: "{event.createdAt}", what: "{data}" } },
        ["event", "name", "when", "what"],
      ],
    ],
  },
  "webhook.subscription": {
    async look({ sim, post }) {
      const types: unknown[] = [];
      sim.connect("https://shop.example", async (request) => {
        types.push(((await request.json()) as { type?: unknown }).type);
        return new Response();
      });
      const plan = ok(await post("/api/subscription/plans", planBody()))["id"];
      const { id } = ok(
        await post("/api/subscription/initiate", startOf(String(plan), { webhookUrl: "https://shop.example/hooks" })),
      );
      await post("/api/subscription/process-payment", { subscriptionId: id, paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
      return types.filter((type) => String(type).includes("activ"));
    },
    sees: [
      [{}, ["subscription.activated"]],
      [{ types: { "subscription.activated": "subscription.is_active" } }, ["subscription.is_active"]],
    ],
  },
  "webhook.body": {
    async look(shop) {
      const body = (await delivered(shop))[0]?.body ?? "";
      return [
        body.includes('"é/1"'),
        body.includes(String.raw`"\u00e9\/1"`),
        (JSON.parse(body) as { type: string }).type,
      ];
    },
    sees: [
      ["compact", [true, false, "payment_intent.processing"]],
      ["spaced", [false, true, "payment_intent.processing"]],
    ],
  },
  "webhook.signature": {
    async look(shop) {
      const [first] = await delivered(shop);
      return [...(first?.headers ?? [])]
        .filter(([name]) => /signature|x-centavos/.test(name))
        .map(([name, value]) => `${name}: ${value.replaceAll(/[\da-f]{64}|[\d]{10,}|[\w+/]{43}=/g, "…")}`);
    },
    sees: [
      ["paymongo", ["x-webhook-signature: t=…,te=…,li="]],
      ["stripe", ["stripe-signature: t=…,v1=…"]],
      ["standard-webhooks", ["webhook-signature: v1,…"]],
      [{ scheme: "paymongo", header: "X-Centavos" }, ["x-centavos: t=…,te=…,li="]],
      [{ scheme: "stripe", header: "X-Centavos" }, ["x-centavos: t=…,v1=…"]],
      [{ scheme: "standard-webhooks", header: "X-Centavos" }, ["x-centavos: v1,…"]],
    ],
  },
  "webhook.stamp": {
    async look(shop) {
      const [first] = await delivered(shop);
      const stamp = /^t=(\d+),/.exec(first?.headers.get("x-webhook-signature") ?? "")?.[1];
      return stamp === String(Date.UTC(2026, 0, 1) / 1000) ? "virtual" : "not virtual";
    },
    sees: [
      ["receiver", "not virtual"],
      ["virtual", "virtual"],
    ],
  },
  "webhook.timeout": {
    async look(shop) {
      shop.sim.faults.add({ kind: "webhook.slow", delay: "40 seconds", times: 1 });
      await delivered(shop);
      await shop.sim.clock.advance("1 hour");
      return shop.sim.webhooks.events().map(({ attempts }) => attempts);
    },
    sees: [
      ["30 seconds", [2, 1]],
      ["1 minute", [1, 1]],
    ],
  },
  "webhook.retries": {
    async look({ sim, post }) {
      sim.connect("https://shop.example", () => new Response(null, { status: 500 }));
      await post("/api/checkout", order());
      await sim.clock.advance("2 days");
      const at = sim.webhooks.attempts().map((attempt) => Date.parse(attempt.at));
      const waits = at.slice(1).map((each, index) => (each - (at[index] as number)) / 1000);
      return sim.webhooks.events().map(({ status }) => [status, waits]);
    },
    sees: [
      [12, [["exhausted", [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096]]]],
      [1, [["exhausted", [2]]]],
      [["1 minute", "5 minutes", "1 hour"], [["exhausted", [60, 300, 3600]]]],
      [[], [["exhausted", []]]],
    ],
  },
  "webhook.order": {
    async look(shop) {
      let open = 0;
      let most = 0;
      await delivered(shop, async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
      });
      return most;
    },
    sees: [
      ["sequential", 1],
      ["concurrent", 2],
    ],
  },
};

/** Confirms a new intent and returns its id. */
async function confirmed({ post }: Shop, paymentMethodId: string, amount = 1000): Promise<string> {
  const { id = "" } = ok(await post(INTENT, { amount }));
  await post(`${INTENT}/${id}/confirm`, { paymentMethodId });
  return id;
}

/** Passes the challenge of an intent, and returns where its customer is led then. */
async function challenged({ sim, post }: Shop): Promise<{ readonly id: string; readonly redirectedTo: string }> {
  const { id } = ok(await post(INTENT, { amount: 100, returnUrl: "https://shop.example/back" }));
  const paid = ok(await post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_challenge" }));
  const { redirectedTo = "" } = await sim.customer.authenticate(String(paid["redirectUrl"]));
  return { id: String(id), redirectedTo };
}

/** Returns the query of an address, without the id in it. */
function returnedTo(address: string, id: string): string {
  return new URL(address).search.replace(id, "…");
}

/** Starts a subscription, which is not paid yet, and returns its id. */
async function subscribed({ post }: Shop): Promise<string> {
  const plan = ok(await post("/api/subscription/plans", planBody()));
  return String(ok(await post("/api/subscription/initiate", startOf(String(plan["id"]))))["id"]);
}

/** Returns the webhooks that the merchant gets while an intent is paid. */
async function delivered(
  shop: Shop,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly headers: Headers; readonly body: string }[]> {
  const requests: { headers: Headers; body: string }[] = [];
  shop.sim.connect("https://shop.example", async (request: Request) => {
    requests.push({ headers: request.headers, body: await request.text() });
    await meanwhile();
    return new Response();
  });
  const { id } = ok(await shop.post(INTENT, { amount: 100, externalId: "é/1" }));
  await shop.post(`${INTENT}/${id}/confirm`, { paymentMethodId: "pm_card_approved" });
  await shop.sim.clock.settle();
  return requests;
}

/** Every word that a schema lists, alone or as one of several forms. */
function wordsOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodMiniEnum) return schema.options;
  if (schema instanceof z.ZodMiniLiteral) return [...schema.def.values];
  return schema instanceof z.ZodMiniUnion ? schema.def.options.flatMap(wordsOf) : [];
}

const rows = Object.entries(cases) as unknown as readonly (readonly [ChangeableAssumptionId, Case<unknown>])[];

describe.for(rows)("the assumption %s", ([id, { look, sees }]) => {
  test.for(sees)("shows a merchant what its value %j says", async ([value, seen]) => {
    const assumptions = { [id]: value };
    const sim = createSimulator({ assumptions, webhookUrl: "https://shop.example/hooks" });
    const { access } = await tokensOf(sim);
    const post: Shop["post"] = (path, body = {}) => callWith(access, sim, path, body);
    expect(await look({ sim, post, assumptions })).toEqual(seen);
    expect(sim.assumptions.used()).toContainEqual(expect.objectContaining({ id, value }));
  });

  test("shows something else with each value: the default, every word of its schema, and one more of an open one", () => {
    const { values, value: usual } = assumptionTable[id];
    const given = sees.map(([value]) => value);
    expect(given[0]).toEqual(usual);
    expect(given.length).toBeGreaterThan(1);
    expect(wordsOf(values).filter((word) => !given.includes(word))).toEqual([]);
    const seen = sees.map(([, each]) => JSON.stringify(each) ?? "nothing");
    expect(new Set(seen).size).toBe(seen.length);
  });
});
