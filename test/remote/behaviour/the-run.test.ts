import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("the journal is read as entries, as a digest and as a timeline", async () => {
      await using world = await reach(way);
      const { sim, local } = world;
      await sim.make.intent({ status: "succeeded" });
      const entries = await sim.journal.entries;
      expect(entries).toEqual(local.journal.entries);
      expect(await sim.journal.length).toBe(entries.length);
      expect(await sim.journal.digest()).toBe(local.journal.digest());
      expect(await sim.journal.toString()).toBe(String(local.journal));
    });

    test("the assumptions, the report and the OpenAPI document of the service are those of the run", async () => {
      await using world = await reach(way, { assumptions: { "checkout.lifetime": "10 minutes" } });
      const { sim, local } = world;
      await sim.make.checkout({ status: "expired" });
      expect(await sim.assumptions.used()).toEqual(local.assumptions.used());
      expect((await sim.openapi())["x-centavo-assumptions"]["checkout.lifetime"].value).toBe("10 minutes");
      expect(await sim.report()).toMatch(/^<!doctype html>/i);
    });

    test("the coverage is counted, within a scope, and prints as a table", async () => {
      await using world = await reach(way);
      const { sim, local } = world;
      await sim.make.subscription({ status: "past_due" });
      const coverage = await sim.coverage({ only: ["subscription", "invoice"] });
      expect(coverage.resources).toEqual(["subscription", "invoice"]);
      expect(coverage.states.seen).toContain("subscription: past_due");
      expect(String(coverage)).toBe(String(await local.coverage({ only: ["subscription", "invoice"] })));
      expect(await errorOf(() => sim.coverage({ only: ["subscripton"] }))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('"subscription"') as unknown,
      });
    });
  });
}
