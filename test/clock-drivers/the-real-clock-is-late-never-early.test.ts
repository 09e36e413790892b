import { CentavoError, createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { turns, woundTime } from "./wound-time.ts";

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

describe("the real clock, late where it must be", () => {
  test("runs all that was due while the machine slept, in order, each at its own moment", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real" }, () => new Response(null, { status: 500 }));
    const { sim } = merchant;
    await merchant.pay({}, "pm_display_details");
    await turns();
    const checked: string[] = [];
    for (const seconds of [3, 1, 5]) void sim.clock.sleep({ seconds }).then(() => checked.push(at(seconds)));
    time.jump(3_600_000);
    await time.pass(10_000);
    expect(checked).toEqual([at(1), at(3), at(5)]);
    expect(merchant.arrivals.map((arrival) => arrival.at).slice(0, 5)).toEqual([0, 2, 6, 14, 30].map(at));
    expect(merchant.arrivals.every((arrival) => arrival.at <= sim.clock.now())).toBe(true);
    expect(sim.clock.now()).toBe(at(3610));
  });

  test("stands while somebody sets the wall clock back, and runs on from there", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: { "intent.processing-time": "5 seconds" } });
    const { sim } = merchant;
    const id = await merchant.pay({});
    await time.pass(1000);
    expect(sim.clock.now()).toBe(at(1));
    time.jump(-3_600_000);
    expect(sim.clock.now()).toBe(at(1));
    await time.pass(3999);
    expect(sim.intents.get(id)?.status).toBe("processing");
    await time.pass(1);
    expect(sim.intents.get(id)?.status).toBe("succeeded");
  });

  test("waits for a delivery that takes longer than the time to the next timer, and then catches up in order", async () => {
    const time = woundTime();
    const answers = [Promise.withResolvers<Response>(), Promise.withResolvers<Response>()];
    const merchant = await Merchant.open(
      { clock: "real", assumptions: { "intent.processing-time": "1 second" } },
      (_, count) => answers[count - 1]?.promise ?? new Response(),
    );
    const { sim } = merchant;
    const id = await merchant.pay({});
    await time.pass(5000);
    expect([sim.clock.now(), sim.intents.get(id)?.status]).toEqual([at(0), "processing"]);
    answers[0]?.resolve(new Response());
    await turns();
    expect(merchant.arrivals.map((arrival) => arrival.at)).toEqual([at(0), at(1)]);
    await time.pass(3000);
    answers[1]?.resolve(new Response());
    await turns();
    expect(sim.clock.now()).toBe(at(8));
    expect(sim.webhooks.attempts().map((attempt) => attempt.at)).toEqual([at(0), at(1)]);
  });

  test("answers the calls of a merchant who handles a webhook, and lets others wait for what is due before them", async () => {
    const time = woundTime();
    const answer = Promise.withResolvers<Response>();
    const statuses: unknown[] = [];
    const merchant: Merchant = await Merchant.open(
      { clock: "real", assumptions: { "intent.processing-time": "1 second" } },
      async (_, count) => {
        statuses.push((await merchant.intentStatus(id)).status);
        return count === 1 ? answer.promise : new Response();
      },
    );
    const id = await merchant.pay({});
    await time.pass(5000);
    expect(statuses).toEqual(["processing"]);
    const other = merchant.intentStatus(id);
    await turns();
    answer.resolve(new Response());
    expect((await other).status).toBe("succeeded");
  });

  test("answers requests, even where it never catches up", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: { real: 1e9 } }, () => {
      time.jump(1);
      return new Response();
    });
    const { sim } = merchant;
    await merchant.subscribe();
    time.jump(40);
    expect((await sim.fetch("/api/subscription/nobodys")).status).toBe(401);
    expect(merchant.arrivals.length).toBeGreaterThan(3);
    await sim.close();
  });
});

describe("a failure under the real clock", () => {
  test("is journaled, and rejects the test's next call, once", async () => {
    const time = woundTime();
    const sim = createSimulator({ clock: "real" });
    let isBroken = true;
    sim.clock.onMove(() => {
      if (isBroken) throw new RangeError("the rope tore");
    });
    void sim.clock.sleep("1 second");
    await time.pass(1000);
    isBroken = false;
    expect(String(sim.journal)).toContain("the rope tore");
    const rejected = await sim.clock.settle().catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(CentavoError);
    expect(rejected).toMatchObject({
      code: "CLOCK_AUTO_FAILED",
      message: expect.stringMatching(/^The real clock failed at 2026-01-01T00:00:01.000Z.*the rope tore/) as unknown,
    });
    await sim.clock.settle();
  });

  test("does not repeat itself by itself, and the next call goes on", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real", assumptions: { "intent.processing-time": "5 seconds" } });
    const { sim } = merchant;
    const id = await merchant.pay({});
    await turns();
    let told = 0;
    const mend = sim.clock.onMove(() => {
      told += 1;
      throw new RangeError("the rope tore");
    });
    await time.pass(60_000);
    expect(told).toBe(1);
    mend();
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
    expect(sim.clock.now()).toBe(at(60));
    await expect(sim.clock.settle()).rejects.toThrow("the rope tore");
  });

  test("of a webhook handler is a failed attempt, which is tried again", async () => {
    const time = woundTime();
    const merchant = await Merchant.open({ clock: "real" }, (_, count) => {
      if (count === 1) throw new RangeError("no stock");
      return new Response();
    });
    await merchant.pay({}, "pm_display_details");
    await time.pass(2000);
    expect(merchant.sim.webhooks.attempts().map(({ answer }) => answer.kind)).toEqual(["failed", "answered"]);
    await merchant.sim.clock.settle({ strict: true });
  });
});
