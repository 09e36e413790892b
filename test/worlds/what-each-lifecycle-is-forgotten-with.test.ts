import { describe, expect, test } from "vitest";
import { defineService } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { checkout } from "../../src/service/checkout/resource.ts";
import { Merchant } from "../merchant.ts";
import { transact } from "../transactions/transactions.ts";

const COUNT = 90;

/** How to bring the rows of each lifecycle to their end; a lifecycle that is missing here fails below. */
const endings: Readonly<Record<string, (merchant: Merchant) => Promise<void>>> = {
  async payment_intent(merchant) {
    for (let index = 0; index < COUNT; index += 1) await transact(merchant, {}, "pm_card_approved");
  },
  async checkout(merchant) {
    for (let index = 0; index < COUNT; index += 1)
      await merchant.sim.customer.pay((await merchant.createCheckout()).checkoutUrl, "pm_card_approved");
  },
  async invoice(merchant) {
    await merchant.subscribe("pm_card_approved", { interval: "day" });
    await merchant.sim.clock.advance(`${COUNT} days`);
  },
};

const bounded = paymentService.resources
  .flatMap(({ lifecycles }) => [...lifecycles])
  .filter(({ forgottenWith }) => forgottenWith !== "never")
  .map(({ lifecycle }) => lifecycle.name);

describe("a bounded world", () => {
  test("has an ending here for every lifecycle whose rows it forgets", () => {
    expect(Object.keys(endings).toSorted()).toEqual(bounded.toSorted());
  });

  test.for(Object.entries(endings))("forgets the rows of %s", async ([name, end]) => {
    const merchant = await Merchant.open({ keep: 1 });
    await end(merchant);
    await merchant.sim.clock.settle();
    const made = merchant.sim.journal.entries.filter(
      ({ kind, details }) =>
        kind === "step" && "input" in details && details.input === "create" && details.resource === name,
    );
    expect(made.length).toBeGreaterThanOrEqual(COUNT);
    expect(merchant.sim.snapshot().world.tables[name]?.length).toBeLessThan(COUNT - 10);
  });

  test("is refused when a lifecycle is forgotten with rows that no resource forgets", () => {
    const [lifecycle] = checkout.lifecycles;
    const lost = { ...checkout, lifecycles: [{ ...lifecycle, forgottenWith: "letters" }] };
    const resources = paymentService.resources.map((resource) => (resource.name === "checkout" ? lost : resource));
    expect(() => defineService({ ...paymentService, resources } as never)).toThrow(
      'defineService: the rows of "checkout" are forgotten with "letters", but no resource declares "letters" in forgets.',
    );
  });
});
