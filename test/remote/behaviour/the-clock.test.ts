import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("the clock advances by a duration in words, in units or of Temporal's form", async () => {
      await using world = await reach(way, { now: "2026-01-31T00:00:00Z" });
      const { clock } = world.sim;
      await clock.advance("1 month");
      expect(await clock.now()).toBe("2026-02-28T00:00:00.000Z");
      await clock.advance({ days: 1 });
      await clock.advance("PT1H");
      expect(await clock.now()).toBe("2026-03-01T01:00:00.000Z");
    });

    test("the clock advances to a moment as text, number or Date", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      const { clock } = world.sim;
      await clock.advanceTo("2026-01-02");
      await clock.advanceTo(new Date("2026-01-03T00:00:00Z"));
      await clock.advanceTo(Date.UTC(2026, 0, 4));
      expect(await clock.now()).toBe("2026-01-04T00:00:00.000Z");
    });

    test("a wrong duration, a moment in the past and an unknown option are refused with the same errors", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      const { clock } = world.sim;
      expect(await errorOf(() => clock.advance("soon"))).toMatchObject({
        code: "INVALID_DURATION",
        message: expect.stringContaining('clock.advance: the duration "soon"') as unknown,
      });
      expect(await errorOf(() => clock.advanceTo("2025-12-31"))).toMatchObject({
        code: "CLOCK_BACKWARDS",
        message: expect.stringContaining("time only moves forward") as unknown,
      });
      expect(await errorOf(() => clock.settle({ strickt: true } as never))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"strict"') as unknown,
      });
    });

    test("the clock says what is pending, soonest first", async () => {
      await using world = await reach(way);
      const { sim } = world;
      await sim.make.subscription({ status: "active" });
      const pending = await sim.clock.pending();
      expect(pending.map(({ at = "" }) => at)).toEqual(pending.map(({ at = "" }) => at).toSorted());
      expect(pending).toContainEqual(
        expect.objectContaining({ key: expect.stringMatching(/^subscription\//) as unknown }),
      );
    });

    test("the clock rests between calls", async () => {
      await using world = await reach(way);
      expect(await world.sim.clock.busy).toBe(false);
      expect(await world.sim.clock.isMovedByTest).toBe(false);
    });

    test("settle sends what is due, and is strict on demand", async () => {
      await using world = await reach(way, { webhookUrl: "https://shop.example/hooks" });
      const { sim } = world;
      await sim.make.intent({ status: "succeeded" });
      await sim.clock.settle();
      const error = await errorOf(() => sim.clock.settle({ strict: true }));
      expect(error).toMatchObject({ code: "NOT_SETTLED" });
      expect(error.message).toContain("payment_intent.succeeded");
    });

    test("the clock stops right after the timer that makes a condition true", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      const { sim } = world;
      const { id } = await sim.make.intent({ status: "processing" });
      const { local } = world;
      const seen: string[] = [];
      const isPaid = (now: string, status: string | undefined): boolean => {
        seen.push(now);
        return status === "succeeded";
      };
      await sim.clock.advanceUntil(
        way === "remote"
          ? async () => isPaid(await sim.clock.now(), (await sim.intents.get(id))?.status)
          : () => isPaid(local.clock.now(), local.intents.get(id)?.status),
      );
      expect((await sim.intents.get(id))?.status).toBe("succeeded");
      expect(seen.length).toBeGreaterThan(1);
      expect(await sim.clock.now()).toBe(seen.at(-1));
    });

    test("a condition that is true already moves nothing", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      await world.sim.make.subscription({ status: "active" });
      const now = await world.sim.clock.now();
      await world.sim.clock.advanceUntil(() => true);
      expect(await world.sim.clock.now()).toBe(now);
    });

    test("a condition that stays false ends at the limit, with what is next on the clock", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      const { sim } = world;
      await sim.make.subscription({ status: "active" });
      const error = await errorOf(() => sim.clock.advanceUntil(() => false, { limit: "3 days" }));
      expect(error).toMatchObject({ code: "CLOCK_LIMIT" });
      expect(error.message).toMatch(
        /reached its limit of "3 days" at 2026-01-04.+ \(\) => false\. Next on the clock is subscription\//,
      );
      expect(await sim.clock.now()).toBe("2026-01-04T00:00:00.000Z");
    });

    test("a condition that is no function, a wrong limit and an unknown option are refused", async () => {
      await using world = await reach(way);
      const { clock } = world.sim;
      expect(await errorOf(() => clock.advanceUntil(true as never))).toMatchObject({ code: "INVALID_OPTION" });
      expect(await errorOf(() => clock.advanceUntil(() => false, { limit: "never" }))).toMatchObject({
        code: "INVALID_DURATION",
        message: expect.stringContaining("clock.advanceUntil") as unknown,
      });
      expect(await errorOf(() => clock.advanceUntil(() => false, { limits: "1 day" } as never))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining("clock.advanceUntil") as unknown,
      });
    });

    test("a sleep resolves when virtual time has passed, and rejects when its world ends or its signal aborts", async () => {
      await using world = await reach(way, { now: "2026-01-01T00:00:00Z" });
      const { sim } = world;
      const slept = sim.clock.sleep("2 hours");
      const given = new AbortController();
      const aborted = sim.clock.sleep("4 hours", { signal: given.signal });
      await sleepsAre(2);
      await sim.clock.advance("3 hours");
      await slept;
      given.abort(new Error("enough"));
      expect(await errorOf(() => aborted)).toMatchObject({ message: "enough" });
      const ended = errorOf(() => sim.clock.sleep("1 day"));
      await sleepsAre(1);
      await sim.reset();
      expect(await ended).toMatchObject({ code: "WORLD_ENDED" });

      /** A call to a server takes its time to arrive. */
      async function sleepsAre(count: number): Promise<void> {
        while ((await sim.clock.pending()).filter(({ key }) => key.startsWith("sleep/")).length !== count);
      }
    });
  });
}
