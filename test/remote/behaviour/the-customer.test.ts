import { describe, expect, test } from "vitest";
import { errorOf, reach } from "../ways.ts";

for (const way of ["in process", "remote"] as const) {
  describe(way, () => {
    test("a customer pays on the hosted page and passes the challenge", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const session = await sim.make.checkout();
      const visit = await sim.customer.pay(session.checkoutUrl, "pm_card_challenge");
      expect(visit.redirectedTo).toContain("/authenticate/");
      await sim.customer.authenticate(visit.redirectedTo);
      await sim.clock.advance("1 minute");
      expect(await sim.checkouts.get(session.id)).toMatchObject({ status: "completed" });
    });

    test("a customer fails a challenge, cancels and abandons", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { redirectedTo } = await sim.customer.pay((await sim.make.checkout()).checkoutUrl, "pm_card_challenge");
      await sim.customer.failAuthentication(redirectedTo);
      await sim.clock.advance("1 minute");
      expect(await sim.intents.last()).toMatchObject({ declineCode: "authentication_failed" });
      expect(await sim.customer.cancel((await sim.make.checkout()).checkoutUrl)).toMatchObject({ status: "cancelled" });
      expect(await sim.customer.abandon((await sim.make.checkout()).checkoutUrl)).toMatchObject({ status: "pending" });
    });

    test("a customer pays with a card in full", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { checkoutUrl } = await sim.make.checkout();
      expect(await sim.customer.pay(checkoutUrl, await sim.make.card())).not.toHaveProperty("problem");
    });

    test("a wrong method is refused with the nearest right one, and so is what is no page", async () => {
      await using world = await reach(way);
      const { sim } = world;
      const { checkoutUrl } = await sim.make.checkout();
      expect(await errorOf(() => sim.customer.pay(checkoutUrl, "pm_card_aproved"))).toMatchObject({
        code: "INVALID_OPTION",
        message: expect.stringContaining('the nearest is "pm_card_approved"') as unknown,
      });
      for (const url of ["https://shop.example/", undefined])
        expect(await errorOf(() => sim.customer.authenticate(url))).toMatchObject({ code: "INVALID_URL" });
    });
  });
}
