import { expect, test } from "./shop-test.ts";

test("a membership goes past due, and recovers by another card", async ({ page, sim }) => {
  const status = page.getByRole("status");
  await page.goto("/membership");
  await page.getByLabel("Card").fill("pm_card_declines_renewals");
  await page.getByRole("button", { name: "Join" }).click();
  await sim.clock.settle();
  await page.reload();
  await expect(status).toHaveText("Your membership is active.");

  await sim.clock.advance("1 month");
  await page.reload();
  await expect(status).toHaveText("Your membership is past due: your card was declined.");

  await page.getByLabel("Card").fill("pm_card_approved");
  await page.getByRole("button", { name: "Use this card" }).click();
  await sim.clock.settle();
  await page.reload();
  await expect(status).toHaveText("Your membership is active.");
  const subscription = await sim.subscriptions.last();
  await expect(subscription?.id ?? "").toHaveMoved(["incomplete", "active", "past_due", "active"]);
});

test("a membership begins with 3-D Secure", async ({ page, sim, challengePage }) => {
  await page.goto("/membership");
  await page.getByLabel("Card").fill("pm_card_challenge");
  await page.getByRole("button", { name: "Join" }).click();
  await challengePage.authenticate();
  await sim.clock.settle();
  await page.goto("/membership");
  await expect(page.getByRole("status")).toHaveText("Your membership is active.");
});
