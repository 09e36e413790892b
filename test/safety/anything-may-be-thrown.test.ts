import { createSimulator } from "centavo";
import { runScenario, scenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import type { FetchApp, MerchantApp } from "../../src/kit/receivers/merchant-app.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { unreadableValues } from "../thrown-values.ts";

const apps: readonly (readonly [how: string, app: (value: unknown) => MerchantApp])[] = [
  ["a fetch handler", throwing],
  ["a fetch handler that rejects", (value) => () => Promise.reject(value)],
  ["a listener", (value) => (_request, _response) => throwing(value)()],
  ["a listener that rejects", (value) => (_request, _response) => Promise.reject(value)],
  ["an app that cannot start", (value) => ({ callback: throwing(value) })],
];

function throwing(value: unknown): () => never {
  return () => {
    throw value;
  };
}

/** The journal's timeline after a merchant with this app was sent an event. */
async function toldAfterEvent(app: MerchantApp): Promise<string> {
  await using sim = createSimulator({ webhookUrl: HOOKS });
  sim.connect(SHOP, app as FetchApp);
  const merchant = await Merchant.of(sim);
  const { id } = await merchant.client.paymentIntents.create({ amount: 100 });
  await merchant.client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.advance("1 minute");
  return String(sim.journal);
}

describe.each(apps)("%s that throws", (_, appThrowing) => {
  test.each(unreadableValues)("%s has failed, and the journal says so", async (_what, make) => {
    expect(await toldAfterEvent(appThrowing(make()))).toMatch(
      /attempt 1: failed \(threw\).*The app connected at https:\/\/shop\.example (threw on POST|could not be started)/,
    );
  });
});

test("a symbol, an unfinished character and a text longer than a header are told as they are", async () => {
  const listener = (value: unknown): MerchantApp => ({ listener: throwing(value) });
  expect(await toldAfterEvent(listener(Symbol("no stock")))).toContain("hooks: Symbol(no stock)");
  expect(await toldAfterEvent(listener(new Error("no \uD800 stock")))).toContain("Error: no \uD800 stock");
  const long = await toldAfterEvent(listener(new Error(`no stock ${"x".repeat(100_000)}`)));
  expect(long).toContain("failed (threw)");
  expect(long).toContain("Error: no stock xxx");
});

test("an app that answers with the name of our own header has answered", async () => {
  const told = await toldAfterEvent({
    listener: (_request: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
      response.writeHead(200, { "x-centavo-threw": "%" }).end(),
  } as MerchantApp);
  expect(told).toContain("attempt 1: answered 200");
});

describe("a clock listener that throws", () => {
  test.each(unreadableValues)("%s under the auto clock rejects the next call, and is journaled", async (_, make) => {
    const value = make();
    const merchant = await Merchant.open({ clock: "auto" });
    const { sim } = merchant;
    const mend = sim.clock.onMove(throwing(value));
    await merchant.pay({});
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    mend();
    const failure: unknown = await sim.clock.settle().then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: "CLOCK_AUTO_FAILED" });
    expect((failure as Error).cause === value).toBe(true);
    expect(sim.journal.entries.some(({ kind }) => kind === "failure")).toBe(true);
    expect(String(sim.journal)).toContain("failure");
  });
});

describe("a fault whose fields throw", () => {
  test.each(unreadableValues)("%s is refused as INVALID_FAULT", (_, make) => {
    const sim = createSimulator();
    const fault = Object.defineProperty({ kind: "request.status" }, "status", {
      enumerable: true,
      get: throwing(make()),
    });
    expect(() => sim.faults.add(fault as never)).toThrow(expect.objectContaining({ code: "INVALID_FAULT" }) as Error);
  });
});

describe("a story that throws", () => {
  test.each(unreadableValues)("%s has failed with it", async (_, make) => {
    const value = make();
    const result = await runScenario(scenario("A story that throws", throwing(value)), { way: "memory" });
    expect(result.passed).toBe(false);
    expect(result.error === value).toBe(true);
  });
});
