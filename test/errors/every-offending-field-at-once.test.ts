import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { type Answer, answerOf, ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const CONTACT = { name: "Ana Cruz", email: "ana@customer.example" };

function offendingIn({ status, body }: Answer): string[] {
  expect([status, body["code"]]).toEqual([400, "VALIDATION_ERROR"]);
  return (body["errors"] as readonly { path: string }[]).map(({ path }) => path).toSorted();
}

/** Sends a call that has to be refused and to change nothing, and returns the paths of its offending fields. */
async function offending(sim: Simulator, access: string, path: string, body?: object): Promise<string[]> {
  const before = worldOf(sim);
  const paths = offendingIn(await callWith(access, sim, path, body));
  expect(worldOf(sim)).toEqual(before);
  return paths;
}

async function open(options?: Parameters<typeof createSimulator>[0]): Promise<{ sim: Simulator; access: string }> {
  const sim = createSimulator(options);
  const { access } = await tokensOf(sim);
  return { sim, access };
}

describe("one answer names every offending field", () => {
  test("of a payment of a subscription that says neither what nor how to pay", async () => {
    const { sim, access } = await open();
    expect(await offending(sim, access, "/api/subscription/process-payment", {})).toEqual([
      "paymentMethodId",
      "subscriptionId",
    ]);
  });

  test.each([
    ["/api/payment-intent", { amount: 0 }, ["amount", "returnUrl"]],
    [
      "/api/checkout",
      { amount: 0, externalId: "order-1", contact: CONTACT },
      ["amount", "description", "returnUrl", "webhookUrl"],
    ],
    ["/api/subscription/initiate", { contact: { name: "Ana Cruz" } }, ["contact.email", "planId", "returnUrl"]],
  ])("of %s when the scheme of its returnUrl is not allowed either", async (path, body, paths) => {
    const { sim, access } = await open();
    expect(await offending(sim, access, path, { ...body, returnUrl: "myshop://back" })).toEqual(paths);
  });

  test("when an external id that was used before is one of them", async () => {
    const { sim, access } = await open({ assumptions: { "http.external-id": "refuse" } });
    ok(await callWith(access, sim, "/api/payment-intent", { amount: 1, externalId: "order-1" }));
    const again = { amount: 0, externalId: "order-1", returnUrl: "myshop://back" };
    expect(await offending(sim, access, "/api/payment-intent", again)).toEqual(["amount", "externalId", "returnUrl"]);
  });

  test("when the session token and the id of a subscription do not belong together", async () => {
    const { sim, access } = await open();
    const plan = { name: "Coffee club", amount: 49_900, interval: "month" };
    const { id: planId } = ok(await callWith(access, sim, "/api/subscription/plans", plan));
    const { id } = ok(await callWith(access, sim, "/api/subscription/initiate", { planId, contact: CONTACT }));
    const body = { subscriptionId: id, sessionToken: "another" };
    expect(await offending(sim, access, "/api/subscription/process-payment", body)).toEqual([
      "paymentMethodId",
      "sessionToken",
    ]);
  });

  test("of a query with a cursor that is not a plan, a limit out of range and a parameter that is given twice", async () => {
    const { sim, access } = await open();
    expect(await offending(sim, access, "/api/subscription/plans?limit=0&after=none")).toEqual(["after", "limit"]);
    expect(await offending(sim, access, "/api/transactions?limit=1&limit=2&status=paid")).toEqual(["limit", "status"]);
  });

  test.each<[string, object, string[]]>([
    ["whose id is a number, and that has no secret", { client_id: 5 }, ["client_id", "client_secret"]],
    ["that has a secret alone", { client_secret: "cs", scope: 1 }, ["client_id", "scope"]],
    ["that refreshes no token", { grant_type: "refresh_token", scope: 1 }, ["refresh_token", "scope"]],
  ])("of a token request %s", async (_, body, paths) => {
    const sim = createSimulator();
    const headers = { "content-type": "application/json" };
    const answer = await sim.fetch("/oauth", { method: "POST", headers, body: JSON.stringify(body) });
    expect(offendingIn(await answerOf(answer))).toEqual(paths);
  });
});

test("a call that is repeated under its key is not refused for the external id that it used itself", async () => {
  const { sim, access } = await open({ assumptions: { "http.external-id": "refuse" } });
  const send = () =>
    sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { authorization: `Bearer ${access}`, "content-type": "application/json", "idempotency-key": "key-1" },
      body: JSON.stringify({ amount: 1, externalId: "order-1" }),
    });
  const first = await answerOf(await send());
  const replayed = await send();
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  expect((await answerOf(replayed)).body).toEqual(first.body);
});
