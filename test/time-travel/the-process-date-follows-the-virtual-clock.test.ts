import { mock } from "node:test";
import { CentavoError, createSimulator } from "centavo";
import { fakeDate, intercept } from "centavo/node";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";
import { tokensOf } from "../merchant/requests.ts";

const realDate = Date;
let heldDate = Date;

afterEach(() => {
  expect(Date).toBe(realDate);
});

describe("with fakeDate the process's own Date follows the virtual clock", () => {
  test("through advances, restores and resets, and is the real one afterwards", async () => {
    const sim = createSimulator({ now: "2026-01-01T00:00:00Z" });
    const network = intercept(sim, { fakeDate: true });
    expect(new Date().toISOString()).toBe("2026-01-01T00:00:00.000Z");
    const beginning = sim.snapshot();
    await sim.clock.advance("1 year");
    expect(Date.now()).toBe(Date.parse("2027-01-01T00:00:00Z"));
    sim.restore(beginning);
    expect(Date.now()).toBe(Date.parse("2026-01-01T00:00:00Z"));
    network.close();
    network.close();
    expect(Date).toBe(realDate);
  });

  test("also when an earlier listener restores a world", async () => {
    const sim = createSimulator({ now: "2026-01-01T00:00:00Z" });
    const beginning = sim.snapshot();
    sim.clock.onMove((now) => {
      if (now === "2026-01-02T00:00:00.000Z") sim.restore(beginning);
    });
    using _date = fakeDate(sim);
    await sim.clock.advance("1 day");
    expect([sim.clock.now(), new Date().toISOString()]).toEqual(Array(2).fill("2026-01-01T00:00:00.000Z"));
  });

  test("with every own property of the original, as a function and as a class", async () => {
    const sim = createSimulator({ now: "2026-01-01T00:00:00Z" });
    using _date = fakeDate(sim);
    const own = Object.getOwnPropertyDescriptors(realDate);
    expect(Object.getOwnPropertyDescriptors(Date)).toMatchObject({ ...own, now: { ...own.now, value: Date.now } });
    expect([Date.now.name, Date.now.length, Object.keys(Date)]).toEqual(["now", 0, []]);
    expect([Date.parse("2026-02-01T00:00Z"), Date.UTC(2026, 1)]).toEqual(Array(2).fill(1_769_904_000_000));
    expect([new Date(2026, 1).getMonth(), new Date("2026-02-01T00:00Z").getTime()]).toEqual([1, 1_769_904_000_000]);
    expect(Date()).toBe(new realDate(sim.clock.now()).toString());
    expect([new Date() instanceof realDate, new realDate() instanceof Date]).toEqual([true, true]);
    const Later = class extends Date {};
    expect([new Later() instanceof Later, new Later().toISOString()]).toEqual([true, sim.clock.now()]);
  });

  test("also through a Date that other code rebuilds from its properties", async () => {
    const sim = createSimulator({ now: "2026-01-31T00:00:00Z" });
    const merchant = await Merchant.of(sim, { fetch: sim.fetch });
    const date = fakeDate(sim);
    const Held = Date;
    const Copy = function (...given: unknown[]): unknown {
      return new.target === undefined ? Held() : Reflect.construct(Held, given);
    };
    globalThis.Date = Object.defineProperties(Copy, Object.getOwnPropertyDescriptors(Held)) as unknown as typeof Date;
    try {
      await merchant.pay();
      await sim.clock.advance("1 month");
      expect([new Date().toISOString(), new Date(Date.now()).toISOString()]).toEqual(Array(2).fill(sim.clock.now()));
    } finally {
      date.close();
      globalThis.Date = realDate;
    }
  });

  test("also where a stand-in lacks Date.parse and takes no time", async () => {
    const sim = createSimulator({ now: "2026-01-31T00:00:00Z" });
    await (await Merchant.of(sim, { fetch: sim.fetch })).pay();
    using _date = fakeDate(sim);
    const Held = Date;
    globalThis.Date = Object.assign(() => undefined, { now: Held.now, UTC: Held.UTC }) as unknown as typeof Date;
    try {
      await sim.clock.advance("1 month");
      expect(sim.clock.now()).toBe("2026-02-28T00:00:00.000Z");
    } finally {
      globalThis.Date = Held;
    }
  });

  test("while timers and everything else stay real", async () => {
    using _date = fakeDate(createSimulator());
    const before = performance.now();
    await new Promise((resolve) => setImmediate(resolve));
    expect(performance.now()).toBeGreaterThan(before);
    expect(setTimeout).not.toHaveProperty("clock");
  });

  test("so that a merchant's signature tolerance holds after a year", async () => {
    const sim = createSimulator({
      webhookUrl: "https://shop.example/hooks",
      assumptions: { "webhook.signature": "standard-webhooks" },
    });
    using _network = intercept(sim, { fakeDate: true });
    const webhook = new Webhook(sim.credentials.webhookSecret);
    const verified: unknown[] = [];
    let verifyAgain = (): unknown => undefined;
    sim.connect("https://shop.example", async (request) => {
      const [body, received] = [await request.text(), Object.fromEntries(request.headers)];
      verifyAgain = () => webhook.verify(body, received);
      verified.push(verifyAgain());
      return new Response();
    });
    await sim.clock.advance("1 year");
    const merchant = await Merchant.of(sim, { fetch });
    await merchant.pay();
    await sim.clock.settle();
    expect(verified).toMatchObject([{ type: "payment_intent.processing" }, { type: "payment_intent.succeeded" }]);
    await sim.clock.advance("5 minutes");
    expect(verifyAgain()).toMatchObject({ type: "payment_intent.succeeded" });
    await sim.clock.advance("1 second");
    expect(verifyAgain).toThrow("Message timestamp too old");
  });

  test("so that a token's expiry is judged by the virtual clock", async () => {
    const sim = createSimulator();
    using _network = intercept(sim, { fakeDate: true });
    const keys = createRemoteJWKSet(new URL(`${sim.authUrl}/.well-known/jwks.json`));
    await sim.clock.advance("1 year");
    const { access: token } = await tokensOf(sim);
    await expect(jwtVerify(token, keys, { issuer: sim.authUrl, audience: sim.baseUrl })).resolves.toBeDefined();
    await sim.clock.advance("1 hour");
    await expect(jwtVerify(token, keys)).rejects.toThrow(/"exp" claim timestamp check failed/);
  });

  test("and is real again, even if other fake timers began later and end later", async () => {
    const sim = createSimulator();
    const date = fakeDate(sim);
    const captured = globalThis.Date;
    mock.timers.enable({ apis: ["Date"] });
    date.close();
    mock.timers.reset();
    for (const known of [globalThis.Date, captured])
      expect(Math.abs(known.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
    expect(new captured().getFullYear()).toBe(new Date(performance.timeOrigin).getFullYear());
    using _again = fakeDate(sim);
    expect(new Date().toISOString()).toBe(sim.clock.now());
  });

  test("and is real again, even if a test puts back the Date.now that it found", () => {
    const date = fakeDate(createSimulator());
    const { now } = Date;
    Date.now = () => 0;
    date.close();
    const realNow = Date.now;
    Date.now = now;
    try {
      expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
    } finally {
      Date.now = realNow;
    }
  });

  test("unless node:test has faked Date already", () => {
    mock.timers.enable({ apis: ["Date"] });
    try {
      expect(() => fakeDate(createSimulator())).toThrow(/Date is already faked/);
    } finally {
      mock.timers.reset();
    }
  });

  test("unless Date is already faked", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      expect(() => fakeDate(createSimulator())).toThrow(/Date is already faked/);
    } finally {
      vi.useRealTimers();
    }
    using _date = fakeDate(createSimulator());
    expect(() => fakeDate(createSimulator())).toThrow(CentavoError);
  });

  test.for([
    ["vi.setSystemTime()", () => vi.setSystemTime("2026-05-01"), () => vi.useRealTimers()],
    ["vi.useFakeTimers()", () => vi.useFakeTimers(), () => vi.useRealTimers()],
    ["mock.timers.enable()", () => mock.timers.enable(), () => mock.timers.reset()],
    // What such libraries do as mockdate and timekeeper.
    [
      "a library",
      () => (globalThis.Date = class extends realDate {} as typeof Date),
      () => (globalThis.Date = heldDate),
    ],
  ] as const)("until %s replaces it, which the next call of the clock refuses", async ([call, replace, end]) => {
    const sim = createSimulator({ now: "2026-01-01T00:00:00Z" });
    using _date = fakeDate(sim);
    heldDate = Date;
    replace();
    await expect(sim.clock.advance("1 day")).rejects.toThrow(
      `${call} replaced Date, which follows the virtual clock. That clock stands at 2026-01-0`,
    );
    end();
    await sim.clock.advanceTo("2026-05-01");
    expect(new Date().toISOString()).toBe("2026-05-01T00:00:00.000Z");
  });

  test("while other timers are faked without Date", async () => {
    const sim = createSimulator({ now: "2026-01-01T00:00:00Z" });
    using _date = fakeDate(sim);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    await sim.clock.advance("1 day");
    expect([new Date().toISOString(), vi.getTimerCount()]).toEqual(["2026-01-02T00:00:00.000Z", 0]);
    vi.useRealTimers();
  });

  test("for one simulator at a time", () => {
    const sims = [createSimulator(), createSimulator({ baseUrl: "https://other.pay.example" })];
    expect(() => intercept(sims, { fakeDate: true })).toThrow(
      /takes a single simulator, because Date can follow only one clock/,
    );
  });

  test("and not at all when the interception itself is refused", () => {
    const sim = createSimulator();
    expect(() => intercept(sim, { fakeDate: true, allow: ["other.example"] })).toThrow(/is not a URL/);
  });
});
