import type { SimulatorOptions } from "centavo";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

interface Outcome {
  /** How many seconds the first retry waits. */
  readonly wait: number;
  readonly warnings: readonly unknown[];
}

/** What becomes of a first attempt when the answer asks for a wait. */
async function outcomeOf(status: number, retryAfter: string, options: SimulatorOptions = {}): Promise<Outcome> {
  const merchant = await Merchant.open(
    options,
    () => new Response(null, { status, headers: { "retry-after": retryAfter } }),
  );
  const { sim } = merchant;
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await sim.clock.settle();
  return {
    wait: (Date.parse(sim.webhooks.attempts()[0]?.nextAt ?? "") - START) / 1000,
    warnings: sim.journal.entries.filter(({ kind }) => kind === "warning").map(({ details }) => details["message"]),
  };
}

async function waitAfter(status: number, retryAfter: string, options: SimulatorOptions = {}): Promise<number> {
  const { wait, warnings } = await outcomeOf(status, retryAfter, options);
  expect(warnings).toEqual([]);
  return wait;
}

describe("Retry-After", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });

  test.each([429, 503])("in seconds lengthens the wait after a %i", async (status) => {
    expect(await waitAfter(status, "90")).toBe(90);
  });

  test("never shortens it", async () => {
    expect(await waitAfter(429, "1")).toBe(2);
    expect(await waitAfter(503, "0")).toBe(2);
  });

  test("lengthens a wait that the assumption webhook.retries lists, and never shortens it", async () => {
    const listed = { assumptions: { "webhook.retries": ["1 minute", "1 hour"] } };
    expect(await waitAfter(429, "90", listed)).toBe(90);
    expect(await waitAfter(503, "30", listed)).toBe(60);
  });

  test.each([500, 502, 404])("means nothing with a %i", async (status) => {
    expect(await waitAfter(status, "90")).toBe(2);
  });

  const VIRTUAL = { assumptions: { "webhook.stamp": "virtual" } } as const;

  test.each([
    "soon",
    "-5",
    "1.5",
    "",
    "1000000000",
    "2026-01-01T00:05:00Z",
    "Thu, 01 Jan 2026 00:05:00 +0000",
    "Thu, 01 Jan 2026 00:05:00",
    "thu, 01 jan 2026 00:05:00 gmt",
    "Thu, 1 Jan 2026 00:05:00 GMT",
    "Thu, 00 Jan 2026 00:05:00 GMT",
    "Sat, 31 Feb 2026 00:05:00 GMT",
    "Thu, 01 Jan 2026 24:00:00 GMT",
    "Thu, 01 Jan 2026 00:60:00 GMT",
    "Thu, 01 Jan 2026 00:05:00 GMT, 5",
    `${"0".repeat(10_000)}x`,
  ])("that reads %j is ignored, with a warning", async (text) => {
    const { wait, warnings } = await outcomeOf(503, text, VIRTUAL);
    expect(wait).toBe(2);
    expect(warnings).toEqual([
      expect.stringMatching(/^the Retry-After of the answer to evt_\w+\/1 is neither .* RFC 9110, so it is ignored$/),
    ]);
  });

  describe.for(["UTC", "Asia/Manila", "America/Los_Angeles"])("read in the time zone %s", (zone) => {
    test.for([
      ["IMF-fixdate", "Thu, 01 Jan 2026 00:05:00 GMT"],
      ["the format of RFC 850", "Thursday, 01-Jan-26 00:05:00 GMT"],
      ["the format of asctime", "Thu Jan  1 00:05:00 2026"],
    ])("as a date in %s is UTC", async ([, text]) => {
      vi.stubEnv("TZ", zone);
      expect(await waitAfter(503, text ?? "", VIRTUAL)).toBe(300);
    });
  });

  test("as a date with a year of two digits lies at most 50 years ahead", async () => {
    expect(await waitAfter(503, "Sunday, 06-Nov-94 08:49:37 GMT", VIRTUAL)).toBe(2);
  });

  test("as a date may be 31 days ahead, and is ignored with a warning when it is further", async () => {
    expect(await waitAfter(503, "Sun, 01 Feb 2026 00:00:00 GMT", VIRTUAL)).toBe(31 * 86_400);
    const { wait, warnings } = await outcomeOf(503, "Sun, 01 Feb 2026 00:00:01 GMT", VIRTUAL);
    expect(wait).toBe(2);
    expect(warnings).toEqual([expect.stringContaining("is a date more than 31 days after the receiver's time")]);
  });

  test("gives one digest whatever the day is on which a date far away is read", async () => {
    const digestOn = async (day: string): Promise<string> => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(day) });
      const headers = { "retry-after": "Mon, 05 May 2031 00:02:00 GMT" };
      const merchant = await Merchant.open({}, () => new Response(null, { status: 503, headers }));
      await merchant.pay();
      await merchant.sim.clock.settle();
      return merchant.sim.journal.digest();
    };
    expect(await digestOn("2026-11-22")).toBe(await digestOn("2027-03-01"));
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
