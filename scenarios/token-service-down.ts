import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

export default scenario(
  "The token service is down for an hour: the shop works until its token expires",
  async (stage) => {
    const { sim, clock, expect, step } = stage;
    const shop = await openShop(stage);

    step("The shop has a token for an hour; half an hour later the token service goes down");
    await shop.order("pen", "pm_card_approved");
    sim.faults.add({
      kind: "request.status",
      route: "oauth.token",
      status: 503,
      from: "2026-01-01T00:30:00Z",
      until: "2026-01-01T01:30:00Z",
    });
    await clock.advance("45 minutes");
    const served = await shop.order("book", "pm_card_approved");
    await clock.settle();
    expect((await shop.read(served)).status).toBe("paid");

    step("The token has expired, and there is no new one: the shop says so, and nothing is charged");
    await clock.advance("20 minutes");
    const refused = await shop.order("notebook", "pm_card_approved");
    expect(refused).toMatchObject({ problem: "The payment could not be made; try again" });
    const payments = sim.transactions.list().length;

    step("The token service is back, and so is the shop, without a restart");
    await clock.advance("30 minutes");
    const late = await shop.order("notebook", "pm_card_approved");
    await clock.settle();
    expect((await shop.read(late)).status).toBe("paid");
    expect(sim.transactions.list()).toHaveLength(payments + 1);
  },
);
