import { createSimulator } from "centavo";
import { describe, expect, expectTypeOf, test } from "vitest";
import { Merchant } from "../merchant.ts";

const NEVER = Symbol("still waiting");

/** The reason of a promise that has been rejected, or what it resolved with; `NEVER` if it is still open. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise.catch((error: unknown) => error), Promise.resolve(NEVER)]);
}

describe("sim.clock.sleep", () => {
  test("ends at its own moment in the middle of a long advance", async () => {
    const sim = createSimulator();
    const woken: string[] = [];
    for (const duration of ["30 s", "10 s", "P1D"])
      void sim.clock.sleep(duration).then(() => woken.push(sim.clock.now()));
    await sim.clock.advance("2 days");
    expect(woken).toEqual(["2026-01-01T00:00:10.000Z", "2026-01-01T00:00:30.000Z", "2026-01-02T00:00:00.000Z"]);
    expect(sim.clock.now()).toBe("2026-01-03T00:00:00.000Z");
  });

  test("wakes code that acts at that moment and sleeps again", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "7 seconds" } });
    const { sim } = merchant;
    const id = await merchant.pay();
    const seen: [string, unknown][] = [];
    const polled = (async () => {
      do {
        await sim.clock.sleep("2 s");
        seen.push([sim.clock.now().slice(17, 19), (await merchant.intentStatus(id))["status"]]);
      } while (seen.at(-1)?.[1] === "processing");
    })();
    await sim.clock.advance("1 minute");
    await polled;
    expect(seen).toEqual([
      ["02", "processing"],
      ["04", "processing"],
      ["06", "processing"],
      ["08", "succeeded"],
    ]);
  });

  test("runs in the order of scheduling among timers of its moment", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "5 seconds" } });
    const { sim } = merchant;
    const before = sim.clock.sleep("5 s").then(() => sim.intents.last()?.status);
    await merchant.pay();
    const after = sim.clock.sleep("5 s").then(() => sim.intents.last()?.status);
    await sim.clock.advance("5 s");
    expect([await before, await after]).toEqual(["processing", "succeeded"]);
  });

  test("is told to listeners of the clock, and ends advanceUntil", async () => {
    const sim = createSimulator();
    const moves: string[] = [];
    const stop = sim.clock.onMove((now) => moves.push(now));
    let isAwake = false;
    void sim.clock.sleep("30 s").then(() => (isAwake = true));
    await sim.clock.advanceUntil(() => isAwake);
    stop();
    expect(sim.clock.now()).toBe("2026-01-01T00:00:30.000Z");
    expect(moves).toEqual(["2026-01-01T00:00:30.000Z"]);
  });

  test("ends early with the reason of its signal, and is off the clock then", async () => {
    const sim = createSimulator();
    const controller = new AbortController();
    const slept = sim.clock.sleep("1 hour", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(slept).rejects.toThrow("enough");
    await expect(sim.clock.sleep("1 hour", { signal: controller.signal })).rejects.toThrow("enough");
    expect(sim.clock.pending()).toEqual([]);
  });

  test("of no time ends when the clock next settles", async () => {
    const sim = createSimulator();
    const slept = sim.clock.sleep({ seconds: 0 });
    expect(await stateOf(slept)).toBe(NEVER);
    await sim.clock.settle();
    await slept;
  });

  test("that never lets time move on is found out", async () => {
    const sim = createSimulator();
    void (async () => {
      for (;;) await sim.clock.sleep({ seconds: 0 });
    })().catch(() => undefined);
    await expect(sim.clock.advance("1 s")).rejects.toMatchObject({ code: "CLOCK_LIMIT" });
  });

  test("refuses an invalid duration, option or signal", async () => {
    const { clock } = createSimulator();
    await expect(clock.sleep("soon")).rejects.toMatchObject({ code: "INVALID_DURATION" });
    await expect(clock.sleep("1 s", { sginal: undefined } as never)).rejects.toThrow('The nearest is "signal"');
    await expect(clock.sleep("1 s", { signal: "stop" as never })).rejects.toThrow("It takes an AbortSignal");
    expectTypeOf(clock.sleep("1 s")).resolves.toBeVoid();
  });
});

describe("sim.clock.timeout", () => {
  test("aborts at its own moment in the middle of a long advance", async () => {
    const sim = createSimulator();
    const signal = sim.clock.timeout("30 s");
    const abortedAt: string[] = [];
    signal.addEventListener("abort", () => abortedAt.push(sim.clock.now()));
    await sim.clock.advance("29 s");
    expect(signal.aborted).toBe(false);
    await sim.clock.advance("2 minutes");
    expect(abortedAt).toEqual(["2026-01-01T00:00:30.000Z"]);
    expect(signal.reason).toMatchObject({ name: "TimeoutError", message: 'clock.timeout("30 s") is over.' });
  });

  test("ends a call that hangs", async () => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ kind: "request.hang", route: "payment-intent.create", times: 1 });
    const call = merchant.sim.fetch("/api/payment-intent", {
      method: "POST",
      signal: merchant.sim.clock.timeout("30 s"),
    });
    const failed = expect(call).rejects.toMatchObject({ name: "TimeoutError" });
    await merchant.sim.clock.advance("2 minutes");
    await failed;
  });

  test("refuses an invalid duration at once", () => {
    const { clock } = createSimulator();
    expect(() => clock.timeout("-1 s")).toThrow("time only moves forward");
  });
});

describe("what waits for the clock", () => {
  test("is listed in pending(), in words, among the timers", async () => {
    const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "5 seconds" } });
    const { clock } = merchant.sim;
    void clock.sleep("10 s");
    clock.timeout("1 s");
    const id = await merchant.pay();
    await clock.settle();
    expect(clock.pending()).toEqual([
      {
        at: "2026-01-01T00:00:01.000Z",
        what: 'clock.timeout("1 s"): its signal aborts',
        key: "timeout/1",
        input: { type: "abort" },
      },
      {
        at: "2026-01-01T00:00:05.000Z",
        what: `payment_intent ${id}: the processor decides`,
        key: `payment_intent/${id}/decide`,
        input: { type: "decide" },
      },
      {
        at: "2026-01-01T00:00:10.000Z",
        what: 'clock.sleep("10 s"): the sleep is over',
        key: "sleep/2",
        input: { type: "wake" },
      },
    ]);
  });

  test.for(["reset", "restore", "close"] as const)("ends with its world at %s", async (end) => {
    const sim = createSimulator();
    const snapshot = sim.snapshot();
    const slept = sim.clock.sleep("30 s");
    const signal = sim.clock.timeout("30 s");
    if (end === "restore") sim.restore(snapshot);
    else await sim[end]();
    await expect(slept).rejects.toMatchObject({
      code: "WORLD_ENDED",
      message: expect.stringContaining(`sim.${end}()`) as string,
    });
    expect(signal.reason).toMatchObject({ code: "WORLD_ENDED" });
    expect(sim.clock.pending()).toEqual([]);
    if (end === "close") await expect(sim.clock.sleep("1 s")).rejects.toMatchObject({ code: "WORLD_ENDED" });
    else await Promise.all([sim.clock.sleep("1 s"), sim.clock.advance("1 s")]);
  });

  test("is in no snapshot, fork, recording or digest", async () => {
    const [silent, sleeping] = [createSimulator(), createSimulator()];
    void sleeping.clock.sleep("30 s");
    sleeping.clock.timeout("40 s");
    expect(sleeping.fork().clock.pending()).toEqual([]);
    expect(sleeping.snapshot()).toEqual(silent.snapshot());
    for (const sim of [silent, sleeping]) await sim.clock.advance("1 minute");
    expect(sleeping.snapshot()).toEqual(silent.snapshot());
    expect(sleeping.recording()).toEqual(silent.recording());
    expect(sleeping.journal.digest()).toBe(silent.journal.digest());
  });

  test("keeps waiting in the world from which a fork was made", async () => {
    const sim = createSimulator();
    const slept = sim.clock.sleep("30 s");
    await sim.fork().clock.advance("1 hour");
    expect(await stateOf(slept)).toBe(NEVER);
    await sim.clock.advance("30 s");
    await slept;
  });
});

describe("under the auto clock", () => {
  test("a sleep within the horizon ends by itself, and what it wakes goes on", async () => {
    const merchant = await Merchant.open({ clock: "auto", assumptions: { "intent.processing-time": "5 seconds" } });
    const id = await merchant.pay();
    do await merchant.sim.clock.sleep("2 s");
    while ((await merchant.intentStatus(id))["status"] === "processing");
    expect(merchant.sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("a sleep beyond the horizon waits for the test", async () => {
    const merchant = await Merchant.open({ clock: "auto" });
    const slept = merchant.sim.clock.sleep("1 hour");
    await merchant.pay();
    await merchant.sim.clock.settle();
    expect(await stateOf(slept)).toBe(NEVER);
    await merchant.sim.clock.advance("1 hour");
    await slept;
  });

  test("a timeout does not move the clock", async () => {
    const merchant = await Merchant.open({ clock: "auto" });
    const before = merchant.sim.clock.now();
    const signal = merchant.sim.clock.timeout("5 s");
    await merchant.createIntent();
    await merchant.sim.clock.settle();
    expect([merchant.sim.clock.now(), signal.aborted]).toEqual([before, false]);
  });
});
