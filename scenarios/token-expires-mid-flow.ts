import { scenario } from "centavo/scenario";
import { openShop } from "./shop.ts";

const options = { assumptions: { "auth.token-lifetime": "10 minutes" } } as const;

export default scenario("The shop's access token expires while the customer is at the bank", options, async (stage) => {
  const { sim, customer, clock, expect, step } = stage;
  const shop = await openShop(stage);
  const answers = (code: string): number =>
    sim.journal.entries.filter(({ kind, details }) => kind === "answer" && details["code"] === code).length;

  step("The customer buys a book, and the bank wants 3-D Secure");
  const order = await shop.order("book", "pm_card_challenge");

  step("Looking for the phone takes a quarter of an hour; the token lived ten minutes");
  await clock.advance("15 minutes");
  expect(answers("UNAUTHORIZED")).toBe(0);

  step(
    "The customer authenticates and comes back: the shop asks for the status, is refused, gets a new token and asks again",
  );
  await customer.authenticate(order.redirectUrl ?? "");
  expect(answers("UNAUTHORIZED")).toBe(1);
  expect((await shop.read(order)).status).toBe("pending");

  step("The bank decides, and the service tells the shop");
  await clock.settle();
  expect((await shop.read(order)).status).toBe("paid");

  step("The next order uses the new token");
  await shop.order("pen", "pm_card_approved");
  expect(answers("UNAUTHORIZED")).toBe(1);
});
