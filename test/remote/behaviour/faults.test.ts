import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("a planned fault fires, and its handle tells how often, also after its end", async () => {
      await using world = await reach(way);
      const { sim, client } = world;
      const fault = await sim.faults.add({ kind: "request.status", status: 503, route: "payment-intent.create" });
      expect(fault.id).toBe((await sim.faults.list())[0]?.id);
      expect(await sim.faults.unused()).toHaveLength(1);
      const struck = fault.struck();
      expect(await errorOf(() => client.paymentIntents.create({ amount: 10_000 }))).toMatchObject({ status: 503 });
      await struck;
      expect(await fault.hits).toBe(1);
      expect(await sim.faults.unused()).toEqual([]);
      await fault.remove();
      expect(await fault.hits).toBe(1);
      expect(await sim.faults.list()).toEqual([]);
    });

    test("a handle does not touch a later fault with the same id", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const first = await sim.faults.add({ id: "lost", kind: "response.lost" });
      await sim.faults.remove("lost");
      await sim.faults.add({ id: "lost", kind: "response.lost" });
      await first.remove();
      expect(await sim.faults.list()).toHaveLength(1);
      await sim.faults.clear();
      expect(await sim.faults.list()).toEqual([]);
    });

    test("waiting for a fault ends when it is removed", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const fault = await sim.faults.add({ kind: "response.lost" });
      const waited = errorOf(() => fault.struck());
      await sim.reset();
      expect(await waited).toMatchObject({ code: "INVALID_STATE" });
      expect(await errorOf(() => fault.struck(0))).toMatchObject({ code: "INVALID_OPTION" });
    });

    test("a wrong fault is refused with the nearest right name", async () => {
      await using world = await reach(way);
      const { sim } = world;
      expect(await errorOf(() => sim.faults.add({ kind: "response.lots" } as never))).toMatchObject({
        code: "INVALID_FAULT",
        message: expect.stringContaining("response.lost") as unknown,
      });
      expect(
        await errorOf(() => sim.faults.add({ kind: "response.lost", route: "payment-intent.creat" } as never)),
      ).toMatchObject({
        code: "INVALID_FAULT",
        message: expect.stringContaining("payment-intent.create") as unknown,
      });
      expect(await errorOf(() => sim.faults.remove("fault_9"))).toMatchObject({ code: "NOT_FOUND" });
    });
  });
}
