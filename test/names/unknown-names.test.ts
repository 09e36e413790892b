import { createSimulator } from "centavo";
import { openApiDocument } from "centavo/openapi";
import { createClient } from "centavo/client";
import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { runScenario, scenario } from "centavo/scenario";
import { serve } from "centavo/server";
import { hostileDeliveries, simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { verifyWebhook } from "centavo/webhooks";
import { describe, expect, test as base, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** What a call throws or rejects with. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

const sim = createSimulator();
const story = scenario("nothing happens", () => undefined);
const { clientId, clientSecret } = sim.credentials;

describe("an option that does not exist is refused, with the nearest right one, by", () => {
  test.for<[string, string, (options: never) => unknown]>([
    ["createSimulator", "baseUrl", (options) => createSimulator(options)],
    ["createClient", "clientSecret", (options) => createClient(options)],
    ["intercept", "allow", (options) => intercept(sim, options)],
    ["serve", "hostname", (options) => serve(sim, options)],
    ["simulated", "failOnSwallowedErrors", (options) => simulated(options, () => undefined)],
    ["withSimulator", "keepTokens", (options) => withSimulator(base, options)],
    ["hostileDeliveries", "fulfilments", (options) => hostileDeliveries(sim, options)],
    ["runScenario", "simulator", (options) => runScenario(story, options)],
    ["openApiDocument", "authUrl", (options) => openApiDocument(options)],
    ["verifyWebhook", "tolerance", (options) => verifyWebhook({ headers: {}, body: "" }, "whsec_", options)],
    ["sim.fork", "connect", (options) => sim.fork(options)],
    ["clock.settle", "strict", (options) => sim.clock.settle(options)],
    ["clock.advance", "onProgress", (options) => sim.clock.advance("1 s", options)],
    ["clock.advanceUntil", "limit", (options) => sim.clock.advanceUntil(() => true, options)],
    ["clock.sleep", "signal", (options) => sim.clock.sleep("1 s", options)],
    ["webhooks.events", "type", (options) => sim.webhooks.events(options)],
    ["webhooks.attempts", "eventId", (options) => sim.webhooks.attempts(options)],
    ["intents.list", "status", (options) => sim.intents.list(options)],
    ["transactions.last", "status", (options) => sim.transactions.last(options)],
  ])("%s", async ([call, option, take]) => {
    const misspelt = option.slice(0, -1);
    const error = await errorOf(() => take({ [misspelt]: undefined } as never));
    expect(error).toMatchObject({ code: "INVALID_OPTION" });
    expect((error as Error).message).toMatch(
      new RegExp(
        `^${call.replace(".", "\\.")} has no option "${misspelt}"\\. (The nearest|Its only option) is "${option}"\\.$`,
      ),
    );
    expect(await errorOf(() => take("text" as never))).toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`${call} takes its options as an object with`) as string,
    });
  });

  test("a reader without a filter, which says so", () => {
    expect(() => sim.plans.list({ status: "active" } as never)).toThrow(
      'plans.list has no option "status". It takes none.',
    );
  });

  test("MSW's handlers, which take no options at all", () => {
    expect(handlers(sim)).toHaveLength(1);
  });
});

describe("a name that does not exist is refused, with the nearest right one, as", () => {
  test.for<[string, () => unknown, RegExp]>([
    [
      "a type of event",
      () => sim.webhooks.events({ type: "payment_intent.suceeded" as never }),
      /^webhooks\.events: type is "payment_intent\.suceeded"; the nearest is "payment_intent\.succeeded"\. Known are /,
    ],
    [
      "a pattern of types",
      () => sim.webhooks.events({ type: "payment_intents.*" }),
      /^webhooks\.events: type is "payment_intents\.\*".* Known are payment_intent\.requires_action,/,
    ],
    ["a type that is no text", () => sim.webhooks.events({ type: 5 as never }), /type is 5\. Known are/],
    [
      "a status",
      () => sim.intents.list({ status: "suceeded" as never }),
      /^intents\.list: status is "suceeded"; the nearest is "succeeded"\. Known are requires_payment_method,/,
    ],
    [
      "a currency",
      () => sim.ledger("PPH"),
      /^sim\.ledger: the currency is "PPH"; the nearest is "PHP"\. Known are AED,/,
    ],
    [
      "a way of a scenario",
      () => runScenario(story, { way: "sockt" as never }),
      /^runScenario: way is "sockt"; the nearest is "socket"\. Known are intercept, memory, socket\.$/,
    ],
    [
      "a kind of network",
      () => simulated({ network: "servr" as never }, ({ network }) => network)(),
      /^simulated or withSimulator: the option network is "servr"; the nearest is "server"\./,
    ],
    [
      "an assumption",
      () => createSimulator({ assumptions: { "checkout.lifetme": "1 hour" } as never }),
      /^createSimulator: no assumption has the id "checkout\.lifetme"\. The nearest is "checkout\.lifetime"\.$/,
    ],
  ])("%s", async ([, take, message]) => {
    const error = (await errorOf(take)) as Error;
    expect(error.message).toMatch(message);
  });

  test("a payment method of the customer", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const pay = (method: string): Promise<unknown> => merchant.sim.customer.pay(checkoutUrl, method);
    await expect(pay("pm_card_fradulent")).rejects.toThrow(
      /^customer\.pay\(checkoutUrl, method\): the payment method is "pm_card_fradulent"; the nearest is "pm_card_fraudulent"\./,
    );
    await expect(pay("pm_card_*")).rejects.toMatchObject({ code: "INVALID_OPTION" });
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
    expect(await pay("pm_card_fraudulent")).not.toHaveProperty("problem");
  });
});

describe("the nearest name", () => {
  test.for<[string, () => unknown]>([
    ["option", () => createSimulator({ colour: "red" } as never)],
    ["field of a filter", () => sim.webhooks.events({ colour: "red" } as never)],
    ["type of event", () => sim.webhooks.events({ type: "colour" as never })],
    ["route of a fault", () => sim.faults.add({ kind: "request.reset", route: "colour" as never })],
    ["kind of fault", () => sim.faults.add({ kind: "colour" } as never)],
    ["assumption", () => createSimulator({ assumptions: { colour: "red" } as never })],
    ["credential", () => createSimulator({ credentials: { colour: "red" } as never })],
    ["currency", () => sim.ledger("colour")],
    [
      "option of a client",
      () => createClient({ baseUrl: sim.baseUrl, clientId, clientSecret, colour: "red" } as never),
    ],
  ])("is not named where no %s is near", async ([, take]) => {
    const error = (await errorOf(take)) as Error;
    expect(error.message).toContain("colour");
    expect(error.message).not.toMatch(/nearest|undefined/);
  });

  test("may be part of what was written, or what was written a part of it", () => {
    expect(() => sim.webhooks.events({ type: "requires_action" as never })).toThrow('"payment_intent.requires_action"');
    expect(() => createSimulator({ theBaseUrl: "" } as never)).toThrow('The nearest is "baseUrl"');
  });
});

describe("a star stands for any text in", () => {
  test("a type of event, a status, a route, an event and a payment method of a fault", async () => {
    const merchant = await Merchant.open();
    const { faults, intents, webhooks } = merchant.sim;
    const route = faults.add({ kind: "response.status", status: 500, route: "payment-intent.*", method: "GET" });
    const event = faults.add({ kind: "webhook.extra-fields", event: "*.succeeded" });
    const method = faults.add({ kind: "processor.decline", code: "lost_card", paymentMethod: "pm_card_challenge*" });
    const id = await merchant.pay();
    expect((await merchant.call("GET", `/api/payment-intent/${id}/status`)).status).toBe(500);
    await merchant.pay({}, "pm_card_challenge");
    await merchant.createIntent();
    await merchant.sim.clock.settle();
    expect([route.hits, event.hits, method.hits]).toEqual([1, 1, 1]);
    expect(webhooks.events({ type: "payment_intent.succ*" }).map(({ body }) => body)).toMatchObject([{ data: { id } }]);
    expect(intents.list({ status: "requires_*" })).toHaveLength(2);
    expect(intents.last({ status: "s*" })?.id).toBe(id);
  });

  test("a route, whose method and path must fit one of the routes that it names", () => {
    const fault = { kind: "request.reset", route: "payment-intent.*" } as const;
    expect(() => sim.faults.add({ ...fault, method: "DELETE" })).toThrow(
      /method is "DELETE", and the route payment-intent/,
    );
    expect(() => sim.faults.add({ ...fault, method: "GET", path: "/api/checkout" })).toThrow(
      /path is "\/api\/checkout"/,
    );
    sim.faults.add({ ...fault, method: "GET", path: "/api/*/status" }).remove();
  });

  test("a filter by a type that a fault made up", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "webhook.unknown-type", type: "payment_intent.reviewed", times: 1 });
    await merchant.pay();
    expect(merchant.sim.webhooks.events({ type: "payment_intent.reviewed" as never })).toHaveLength(1);
  });
});
