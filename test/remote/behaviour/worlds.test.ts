import { replay } from "centavo";
import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("a snapshot is restored, and an edited one only when the test says so", async () => {
      await using world = await reach(way);
      const { sim } = world;
      await sim.make.intent({ status: "processing" });
      const snapshot = await sim.snapshot();
      const digest = await sim.journal.digest();
      await sim.clock.advance("1 day");
      await sim.restore(snapshot);
      expect(await sim.journal.digest()).toBe(digest);
      const edited = { ...snapshot, world: { ...snapshot.world, now: snapshot.world.now + 1 } };
      expect(await errorOf(() => sim.restore(edited))).toMatchObject({ code: "INVALID_SNAPSHOT" });
      await sim.restore(edited, { edited: true });
      expect(Date.parse(await sim.clock.now())).toBe(snapshot.world.now + 1);
    });

    test("reset leads to the beginning, and keeps tokens on demand", async () => {
      await using world = await reach(way);
      const { sim, client } = world;
      await client.paymentIntents.create({ amount: 10_000 });
      await sim.reset({ keepTokens: true });
      expect(await sim.intents.list()).toEqual([]);
      await client.paymentIntents.create({ amount: 10_000 });
      expect(await errorOf(() => sim.reset({ keepToken: true } as never))).toMatchObject({ code: "INVALID_OPTION" });
    });

    test("a fork goes its own way", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { id } = await sim.make.intent({ status: "processing" });
      await using fork = await sim.fork();
      expect(await fork.journal.digest()).toBe(await sim.journal.digest());
      await fork.clock.advance("1 day");
      expect(await fork.intents.get(id)).toMatchObject({ status: "succeeded" });
      expect(await sim.intents.get(id)).toMatchObject({ status: "processing" });
    });

    test("a customer of a fork pays there alone", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { id } = await sim.make.checkout();
      await using fork = await sim.fork();
      const checkoutUrl = (await fork.checkouts.get(id))?.checkoutUrl;
      await fork.customer.pay(checkoutUrl, "pm_card_approved");
      await fork.clock.advance("1 minute");
      expect(await fork.checkouts.get(id)).toMatchObject({ status: "completed" });
      expect(await sim.checkouts.get(id)).toMatchObject({ status: "pending" });
    });

    test("a recording plays to the same digest, and that of a fork too", async () => {
      await using world = await reach(way);
      const { sim } = world;
      await sim.make.intent({ status: "succeeded" });
      await using fork = await sim.fork();
      await fork.clock.advance("1 day");
      for (const one of [sim, fork]) {
        const played = await replay(await one.recording());
        expect(played.journal.digest()).toBe(await one.journal.digest());
      }
    });
  });
}
