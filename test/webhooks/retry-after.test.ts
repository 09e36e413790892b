import type { SimulatorOptions } from "centavo";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** How many seconds a first attempt's retry waits when the answer asks for a wait. */
async function waitAfter(status: number, retryAfter: string, options: SimulatorOptions = {}): Promise<number> {
  const merchant = await Merchant.open(
    options,
    () => new Response(null, { status, headers: { "retry-after": retryAfter } }),
  );
  const { sim } = merchant;
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await sim.clock.settle();
  return (Date.parse(sim.webhooks.attempts()[0]?.nextAt ?? "") - START) / 1000;
}

describe("Retry-After", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([429, 503])("in seconds lengthens the wait after a %i", async (status) => {
    expect(await waitAfter(status, "90")).toBe(90);
  });

  test("never shortens it", async () => {
    expect(await waitAfter(429, "1")).toBe(2);
    expect(await waitAfter(503, "0")).toBe(2);
  });

  test.each([500, 502, 404])("means nothing with a %i", async (status) => {
    expect(await waitAfter(status, "90")).toBe(2);
  });

  test.each(["soon", "-5", "1.5", ""])("that reads %j is ignored", async (text) => {
    expect(await waitAfter(503, text)).toBe(2);
  });

  test("as an HTTP date counts from the receiver's own time, like the stamp", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2031-05-05T00:00:00.700Z") });
    expect(await waitAfter(503, "Mon, 05 May 2031 00:02:00 GMT")).toBe(120);
    expect(await waitAfter(503, "Sun, 04 May 2031 00:00:00 GMT")).toBe(2);
  });

  test("as an HTTP date counts from virtual time when stamps are virtual", async () => {
    const options = { assumptions: { "webhook.stamp": "virtual" } } as const;
    expect(await waitAfter(429, "Thu, 01 Jan 2026 00:05:00 GMT", options)).toBe(300);
  });

  test("moves what follows: the next retry still doubles, from the one before", async () => {
    const merchant = await Merchant.open(
      {},
      (_, count) => new Response(null, { status: 503, headers: count === 1 ? { "retry-after": "100" } : {} }),
    );
    const { sim } = merchant;
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.advance("115 seconds");
    expect(sim.webhooks.attempts().map(({ at }) => (Date.parse(at) - START) / 1000)).toEqual([0, 100, 104, 112]);
  });
});
