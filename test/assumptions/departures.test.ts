import { assumptionTable, createSimulator } from "centavo";
import type { AssumptionOverrides } from "centavo";
import { expect, test } from "vitest";
import { conformancePage } from "../conformance/render.ts";
import { everyCall } from "./all-calls.ts";
import { sets } from "./sets.ts";

/** Makes calls of every kind, and returns the parts from which the values in force depart, by their rows. */
async function departuresUnder(assumptions: AssumptionOverrides): Promise<Readonly<Record<string, string>>> {
  const sim = createSimulator({ assumptions, webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", () => new Response());
  await sim.fetch("/nothing");
  await sim.fetch("/api/transactions");
  const answered = await everyCall(assumptions, sim).catch(() => undefined);
  const { id, clientKey } = (answered?.["payment-intent.create"]?.read ?? {}) as Readonly<Record<string, string>>;
  await sim.fetch(`/api/payment-intent/${id}/status`, { headers: { authorization: `Bearer ${clientKey}` } });
  return Object.fromEntries(
    sim.assumptions
      .used()
      .flatMap(({ id: row, departsFrom }) => (departsFrom === undefined ? [] : [[row, departsFrom]])),
  );
}

const changeable = Object.entries(assumptionTable).flatMap(([id, entry]) =>
  "value" in entry ? [[id, entry.value] as const] : [],
);

test("a row that is set to its own default departs from nothing", async () => {
  expect(await departuresUnder(structuredClone(Object.fromEntries(changeable)) as AssumptionOverrides)).toEqual({});
});

const shapes: AssumptionOverrides = sets.stripe;
const { "http.error-body": bodyOfErrors, "http.order": order } = assumptionTable;

test.each<readonly [AssumptionOverrides, part: string | undefined]>([
  [{ "http.envelope": "{data}" }, "2"],
  [{ "http.endpoints": { "checkout.create": "/v1/sessions" } }, "4"],
  [{ "http.bodies": shapes["http.bodies"] ?? {} }, "2"],
  [{ "http.error-body": { ...(bodyOfErrors.value as object), status: "{status}" } }, undefined],
  [{ "http.error-body": sets.stripe["http.error-body"] }, "7"],
  [{ "http.error-codes": { NOT_FOUND: { code: "nothing" }, INTENT_NOT_FOUND: { message: "No intent" } } }, undefined],
  [{ "http.error-codes": { INTENT_NOT_FOUND: { code: "no_intent" } } }, "7"],
  [{ "http.error-codes": { SESSION_NOT_FOUND: { message: "No session" } } }, "7"],
  [{ "http.error-status": { SESSION_NOT_FOUND: 410 } }, undefined],
  [{ "http.token-messages": { missing: "Unauthorized", expired: "Invalid access token" } }, undefined],
  [{ "http.token-messages": { unknown: "No such token" } }, "7"],
  [{ "http.order": { ...order.value, credential: "first" } }, undefined],
  [{ "auth.paths": { refresh: "/oauth/refresh" } }, undefined],
  [{ "auth.paths": { token: "/v1/token" } }, "5"],
  [{ "auth.token-response": { access_token: "{access_token}", ttl: "{expires_in}" } }, undefined],
  [{ "auth.token-response": { token: "{access_token}" } }, "5"],
  [{ "auth.scope": ["subscription.session"] }, undefined],
  [{ "auth.scope": ["checkout.polling"] }, "5"],
  [{ "auth.client-key": ["payment-intent.status"] }, undefined],
  [{ "auth.client-key": [] }, "5"],
  [{ "intent.pending": "requires_payment_method" }, "4.1"],
  [{ "intent.confirm-request": { method: "paymentMethodId", attached: "required" } }, undefined],
  [{ "intent.confirm-request": { method: "paymentMethod", attached: "optional" } }, "4.1"],
  [{ "intent.confirm-response": shapes["intent.confirm-response"] ?? {} }, "2.4"],
  [{ "intent.challenge-error": "never" }, undefined],
  [{ "intent.challenge-error": "first" }, "3.1"],
  [{ "intent.confirm-twice": "repeat" }, "3.1"],
  [{ "intent.decline": "at-once" }, undefined],
  [{ "intent.decline": "later" }, "7"],
  [{ "checkout.moves": "hide-processing" }, undefined],
  [{ "subscription.first-failure": "expire" }, "3.3"],
  [{ "subscription.events": ["invoice", "subscription"] }, undefined],
  [{ "subscription.events": ["subscription"] }, "6"],
  [{ "transaction.filters": { dates: "exclusive-end", amounts: "inclusive" } }, undefined],
  [{ "transaction.filters": { dates: "inclusive", amounts: "exclusive-end" } }, "4.4"],
  [{ "webhook.checkout": { types: { "checkout.completed": "paid" } } }, undefined],
  [{ "webhook.checkout": sets.philippine["webhook.checkout"] }, "6"],
  [{ "webhook.intent": { types: { "payment_intent.succeeded": "payment_intent.paid" } } }, undefined],
  [{ "webhook.intent": { types: { "payment_intent.succeeded": "payment.paid" } } }, "6"],
  [{ "webhook.intent": sets.stripe["webhook.intent"] }, "6"],
  [{ "webhook.subscription": { body: sets.stripe["webhook.subscription"].body } }, undefined],
  [{ "webhook.subscription": { types: { "subscription.activated": "subscription.created" } } }, "6"],
])("%j departs from part %s of the document", async (assumptions, part) => {
  const [id = ""] = Object.keys(assumptions);
  expect(await departuresUnder(assumptions)).toEqual(part === undefined ? {} : { [id]: part });
});

test("the conformance table lists each row of which values depart, with the part", () => {
  const [, listed = ""] = conformancePage().split("## Departures");
  for (const [, assumptions] of Object.entries(sets))
    for (const id of Object.keys(assumptions)) {
      const entry = assumptionTable[id as keyof typeof assumptions];
      const part =
        ("document" in entry ? entry.document : undefined) ?? ("departs" in entry ? entry.departs?.part : undefined);
      if (part !== undefined) expect(listed).toMatch(new RegExp(`\`${id}\`.*depart from part ${part}`));
    }
});
