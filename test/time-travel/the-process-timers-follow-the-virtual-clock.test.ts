import nodeTimers from "node:timers";
import { setInterval as ticks, setTimeout as wait, scheduler } from "node:timers/promises";
import { promisify } from "node:util";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { createClient } from "centavo/client";
import { fakeDate, fakeTimers } from "centavo/node";
import { simulated, startMerchant } from "centavo/testing";
import { Cron } from "croner";
import { schedule as scheduleJob } from "node-cron";
import { afterEach, describe, expect, test, vi } from "vitest";
import { woundTime } from "../clock-drivers/wound-time.ts";

const real = { ...globalThis, Date };
const NOW = "2026-01-01T00:00:00.000Z";

const opened: Simulator[] = [];

afterEach(async () => {
  for (const sim of opened.splice(0)) await sim.close();
  expect([setTimeout, setInterval, clearTimeout, nodeTimers.setTimeout]).toEqual([
    real.setTimeout,
    real.setInterval,
    real.clearTimeout,
    real.setTimeout,
  ]);
  expect(Date).toBe(real.Date);
});

function open(options: SimulatorOptions = {}): Simulator {
  const sim = createSimulator({ timers: true, now: NOW, ...options });
  opened.push(sim);
  return sim;
}

describe("with timers: true a shop's own scheduler runs under time travel, each run at its own moment", () => {
  test.for([
    ["setInterval", (run: () => void): unknown => setInterval(run, 3_600_000)],
    ["setInterval of node:timers", (run: () => void): unknown => nodeTimers.setInterval(run, 3_600_000)],
    [
      "a timeout that sets itself again",
      function again(run: () => void): void {
        setTimeout(() => {
          run();
          again(run);
        }, 3_600_000);
      },
    ],
    [
      "an interval of promises",
      async (run: () => void) => {
        for await (const _ of ticks(3_600_000)) run();
      },
    ],
    [
      "a loop that waits",
      async (run: () => void) => {
        for (;;) {
          await wait(3_600_000);
          run();
        }
      },
    ],
    [
      "a loop of scheduler.wait",
      async (run: () => void) => {
        for (;;) {
          await scheduler.wait(3_600_000);
          run();
        }
      },
    ],
    [
      "a loop of promisify(setTimeout)",
      async (run: () => void) => {
        for (;;) {
          await promisify(setTimeout)(3_600_000);
          run();
        }
      },
    ],
    ["node-cron", (run: () => void): unknown => scheduleJob("0 * * * *", run)],
    ["croner", (run: () => void): unknown => new Cron("0 * * * *", run)],
  ] as const)("%s", async ([, schedule]) => {
    const sim = open();
    const moments: string[] = [];
    void schedule(() => void moments.push(new Date().toISOString().slice(0, 16)));
    await sim.clock.advance("60 hours");
    expect(moments).toHaveLength(60);
    expect([moments[0], moments[24], moments[59]]).toEqual([
      "2026-01-01T01:00",
      "2026-01-02T01:00",
      "2026-01-03T12:00",
    ]);
  });

  test("between the timers of the service, with the same digest in every run", async () => {
    const run = async (): Promise<unknown> => {
      await using sim = createSimulator({
        timers: true,
        now: NOW,
        assumptions: { "intent.processing-time": "90 minutes" },
      });
      const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
      const { id } = await client.paymentIntents.create({ amount: 10_000 });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      const seen: string[] = [];
      const look = async (): Promise<void> => {
        const { status } = await client.paymentIntents.status(id);
        seen.push(`${new Date().toISOString().slice(11, 16)} ${status}`);
      };
      setInterval(() => void look(), 3_600_000);
      await sim.clock.advance("2 hours");
      return { seen, digest: sim.journal.digest() };
    };
    const first = await run();
    expect(first).toMatchObject({ seen: ["01:00 processing", "02:00 succeeded"] });
    expect(await run()).toEqual(first);
  });

  test("also inside a merchant's process that a test ends and starts again", async () => {
    const sim = open();
    let runs = 0;
    const merchant = await startMerchant(sim, "https://shop.example", {
      open: () => {
        setInterval(() => (runs += 1), 3_600_000);
        return () => new Response();
      },
    });
    await sim.clock.advance("2 hours");
    merchant.kill();
    await sim.clock.advance("2 hours");
    expect(runs).toBe(2);
    await merchant.start();
    await sim.clock.advance("2 hours");
    expect(runs).toBe(4);
  });

  test("until it is cleared, by the timer or its number", async () => {
    const sim = open();
    let runs = 0;
    const run = (): void => void (runs += 1);
    const [first, second] = [setInterval(run, 1000), setInterval(run, 1000)];
    await sim.clock.advance("2 seconds");
    clearInterval(first);
    clearTimeout(Number(second));
    await sim.clock.advance("1 minute");
    expect(runs).toBe(4);
    expect(sim.clock.pending()).toEqual([]);
  });

  test("and is named in what is pending", () => {
    const sim = open();
    setTimeout(() => undefined, 60_000);
    expect(sim.clock.pending()).toMatchObject([
      { at: "2026-01-01T00:01:00.000Z", key: "timer/1", what: "a timer of 60000 ms: it calls back" },
    ]);
  });

  test("and a signal of AbortSignal.timeout aborts at its moment", async () => {
    const sim = open();
    const signal = AbortSignal.timeout(30_000);
    await sim.clock.advance("29 seconds");
    expect(signal.aborted).toBe(false);
    await sim.clock.advance("1 second");
    expect(signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  test("and goes on in the next world after a reset or a restore", async () => {
    const sim = open();
    const moments: string[] = [];
    setInterval(() => void moments.push(sim.clock.now()), 60_000);
    const beginning = sim.snapshot();
    await sim.clock.advance("90 seconds");
    sim.reset();
    await sim.clock.advance("60 seconds");
    sim.restore(beginning);
    await sim.clock.advance("60 seconds");
    expect(moments).toEqual(Array(3).fill("2026-01-01T00:01:00.000Z"));
  });

  test("and what it throws rejects the call that moves the clock, which can go on", async () => {
    const sim = open();
    setTimeout(() => {
      throw new Error("the job failed");
    }, 1000);
    await expect(sim.clock.advance("1 hour")).rejects.toThrow("the job failed");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:01.000Z");
    await sim.clock.advance("1 hour");
  });

  test("and under the auto clock what is due within the horizon runs by itself", async () => {
    const sim = open({ clock: "auto" });
    await sim.fetch("/.well-known/jwks.json");
    await new Promise((resolve) => void setTimeout(resolve, 5000));
    expect(sim.clock.now()).toBe("2026-01-01T00:00:05.000Z");
  });

  test("while real servers and clients of the process work", async () => {
    const sim = open();
    const server = createServer((request, response) => void request.resume().on("end", () => response.end("here")));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    for (let call = 0; call < 3; call += 1)
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    await sim.clock.advance("1 day");
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe("timers: true", () => {
  test("in a simulated test ends with it, and leaves timers that were there before alone", async () => {
    const before = setInterval(() => undefined, 1_000_000);
    let runs = 0;
    await simulated({ timers: true }, async ({ sim }) => {
      clearInterval(before);
      setInterval(() => (runs += 1), 60_000);
      await sim.clock.advance("1 hour");
    })();
    expect([runs, before.hasRef()]).toEqual([60, true]);
  });

  test("is no part of a fork or a recording", async () => {
    const sim = open();
    const fork = sim.fork();
    let runs = 0;
    setInterval(() => (runs += 1), 1000);
    await fork.clock.advance("1 minute");
    expect(runs).toBe(0);
    expect(Object.keys(sim.recording().options)).not.toContain("timers");
    await fork.close();
  });

  test("is refused where a process has no second set of timers, or Date does not follow", async () => {
    const sim = open();
    expect(() => createSimulator({ timers: true })).toThrow(/the timers of this process follow another simulator/);
    await sim.close();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    expect(() => createSimulator({ timers: true })).toThrow(/setTimeout is faked already/);
    vi.useRealTimers();
    using _date = fakeDate(createSimulator());
    expect(() => createSimulator({ timers: true })).toThrow(/Date is already faked/);
    await expect(
      simulated({ timers: true, fakeDate: false, recordings: false }, ({ sim: own }) => own)(),
    ).rejects.toThrow(/timers is true and fakeDate is false/);
  });

  test("is the option of fakeTimers(sim), which goes with a Date that follows the same simulator", async () => {
    const sim = createSimulator({ now: NOW });
    using _date = fakeDate(sim);
    let runs = 0;
    {
      using _timers = fakeTimers(sim);
      setInterval(() => (runs += 1), 1000);
      await sim.clock.advance("3 seconds");
    }
    expect([runs, new Date().toISOString()]).toEqual([3, "2026-01-01T00:00:03.000Z"]);
  });

  test("takes true or false", () => {
    expect(() => createSimulator({ timers: "yes" as never })).toThrow(/option timers is "yes". It takes true or false/);
    expect(() => simulated({ timers: 1 as never }, () => undefined)).toThrow(
      /option timers is 1. It takes true or false/,
    );
  });
});

test("under the real clock they ring by themselves, as much sooner as it is faster", async () => {
  const time = woundTime();
  await using sim = createSimulator({ clock: { real: 60 }, timers: true });
  const rung: string[] = [];
  setTimeout(() => rung.push(new Date().toISOString()), 90_000);
  await time.pass(1499);
  expect(rung).toEqual([]);
  await time.pass(1);
  expect(rung).toEqual(["2026-01-01T00:01:30.000Z"]);
  expect(sim.clock.now()).toBe("2026-01-01T00:01:30.000Z");
});
