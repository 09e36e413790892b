import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test, vi } from "vitest";
import { PaymentIntents } from "../../src/service/payment-intents/commands.ts";
import { Merchant } from "../merchant.ts";
import { ways } from "../ways-in/ways.ts";
import { contractUnder } from "./contract.ts";
import type { Exchange } from "./contract.ts";
import { contradictions } from "./contradictions.ts";

const json = new Headers({ "content-type": "application/json; charset=utf-8" });
const get: Exchange = {
  method: "GET",
  path: "/api/payment-intent/pi_1/status",
  part: "both",
  status: 404,
  headers: json,
  body: "",
};
const notFound = { success: false, message: "The payment intent does not exist", code: "INTENT_NOT_FOUND", errors: [] };

async function intentOf(sim: Simulator): Promise<{ id: string; authorization: string }> {
  const merchant = await Merchant.of(sim);
  const { id } = await merchant.createIntent();
  return { id, authorization: merchant.authorization };
}

describe("every response of the suite is held to the OpenAPI document", () => {
  test("so that a wrong answer is caught with its route, its status and the place in the schema", async () => {
    using wrong = vi.spyOn(PaymentIntents.prototype, "status");
    const sim = createSimulator();
    const { id, authorization } = await intentOf(sim);
    wrong.mockReturnValue({ id, transactionId: "txn_1", amount: 0, status: "paid", createdAt: "today" } as never);
    await sim.fetch(`/api/payment-intent/${id}/status`, { headers: { authorization } });
    const [problem, ...others] = await contradictions.take();
    expect(others).toEqual([]);
    expect(problem).toContain(`GET /api/payment-intent/${id}/status (payment-intent.status) answered 200`);
    expect(problem).toContain("/paths/~1api~1payment-intent~1{intentId}~1status/get/responses/200");
    expect(problem).toMatch(/\/data must have required property 'updatedAt'/);
    expect(problem).toMatch(/\/data\/status must be equal to one of the allowed values.*PaymentIntentStatus\/enum/);
    expect(problem).toMatch(/\/data\/amount must be >= 1/);
  });

  test.for(ways)("by $name too", async ({ open }) => {
    using wrong = vi.spyOn(PaymentIntents.prototype, "status");
    const sim = createSimulator();
    const { id, authorization } = await intentOf(sim);
    wrong.mockReturnValue({} as never);
    await using way = await open(sim);
    await way.fetch(`${way.url}/api/payment-intent/${id}/status`, { headers: { authorization } });
    expect(await contradictions.take()).toHaveLength(1);
  });

  test("in forks too", async () => {
    using wrong = vi.spyOn(PaymentIntents.prototype, "status");
    const sim = createSimulator();
    const { id, authorization } = await intentOf(sim);
    wrong.mockReturnValue({} as never);
    await sim.fork().fetch(`/api/payment-intent/${id}/status`, { headers: { authorization } });
    expect(await contradictions.take()).toHaveLength(1);
  });

  test("and so is every webhook, when it is announced", async () => {
    using wrong = vi.spyOn(PaymentIntents.prototype, "feeOf");
    const sim = createSimulator();
    const { id } = await intentOf(sim);
    wrong.mockReturnValue("free" as never);
    sim.intents.cancel(id);
    const [problem] = await contradictions.take();
    expect(problem).toMatch(
      /^the webhook payment_intent\.canceled, .*PaymentIntentEvent|\/data\/attributes\/fee must be integer/s,
    );
  });
});

describe("a contradiction is found", () => {
  test.for<{ what: string; exchange: Partial<Exchange>; problem: RegExp }>([
    { what: "in a status that is not declared", exchange: { status: 418 }, problem: /does not declare/ },
    {
      what: "in a code under the wrong status",
      exchange: { body: JSON.stringify({ ...notFound, code: "UNAUTHORIZED" }) },
      problem: /allowed values/,
    },
    {
      what: "in an undeclared field",
      exchange: { body: JSON.stringify({ ...notFound, hint: "?" }) },
      problem: /unevaluated/,
    },
    {
      what: "in a content type",
      exchange: { headers: new Headers({ "content-type": "text/html" }) },
      problem: /content type text\/html/,
    },
    { what: "in a body that is not JSON", exchange: { body: "{" }, problem: /not JSON/ },
    {
      what: "in an answer at an unknown address",
      exchange: { path: "/nowhere", status: 200 },
      problem: /no such operation/,
    },
    {
      what: "in an error at an unknown address",
      exchange: { path: "/nowhere", body: "{}" },
      problem: /required property 'message'/,
    },
    {
      what: "in a redirection to nowhere",
      exchange: { path: "/pay/1", status: 303 },
      problem: /without the header Location/,
    },
    {
      what: "in an address of the other service",
      exchange: { part: "auth", status: 200 },
      problem: /no such operation/,
    },
    { what: "in a preflight with a body", exchange: { method: "OPTIONS", status: 200 }, problem: /empty 204/ },
  ])("$what", ({ exchange, problem }) => {
    expect(contractUnder().contradictionOf({ ...get, body: JSON.stringify(notFound), ...exchange })).toMatch(problem);
  });

  test("in a webhook of an unknown kind", () => {
    expect(contractUnder().contradictionOfWebhook("nothing.happened", "{}")).toMatch(/none of that name/);
  });
});

describe("no contradiction is found", () => {
  test.for<{ what: string; exchange: Partial<Exchange> }>([
    { what: "in a declared error", exchange: {} },
    { what: "in the answer to HEAD, which has no body", exchange: { method: "HEAD", body: "" } },
    { what: "in a preflight", exchange: { method: "OPTIONS", status: 204, body: "" } },
    {
      what: "in the error of an unknown address",
      exchange: { path: "/nowhere", body: JSON.stringify({ ...notFound, code: "NOT_FOUND" }) },
    },
    {
      what: "in a page",
      exchange: { path: "/pay/1", status: 200, headers: new Headers({ "content-type": "text/html" }), body: "<p>" },
    },
  ])("$what", ({ exchange }) => {
    expect(contractUnder().contradictionOf({ ...get, body: JSON.stringify(notFound), ...exchange })).toBeUndefined();
  });
});
