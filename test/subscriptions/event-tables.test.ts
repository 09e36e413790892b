import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

/** How a situation is reached, and what happens then. */
interface Story {
  readonly title: string;
  readonly processingTime?: string;
  readonly until: (shop: Merchant) => Promise<{ readonly id: string }>;
  readonly act: (shop: Merchant, id: string) => Promise<unknown>;
}

const settled = async ({ sim }: Merchant): Promise<void> => sim.clock.settle();
const pay =
  (method: string): Story["act"] =>
  async (shop, id) => {
    await shop.processPayment(id, method);
    await settled(shop);
  };
const start: Story["until"] = (shop) => shop.start();
const active: Story["until"] = (shop) => shop.subscribe();
const challenged: Story["until"] = async (shop) => {
  const started = await shop.start();
  await shop.processPayment(started.id, "pm_card_challenge");
  return started;
};
const untilRenewal: Story["act"] = async (shop, id) =>
  shop.sim.clock.advanceTo(shop.sim.subscriptions.get(id)?.nextBillingAt ?? "");
const cancel: Story["act"] = async (shop, id) => ok(await shop.cancelSubscription(id));

const stories: readonly Story[] = [
  { title: "Initiate", until: async () => ({ id: "" }), act: (shop) => shop.start() },
  { title: "The first payment succeeds: `incomplete` → `active`", until: start, act: pay("pm_card_approved") },
  {
    title: "The first payment meets a challenge, which the customer passes: `incomplete` → `active`",
    until: start,
    act: async (shop, id) => {
      const { redirectUrl = "" } = ok(await shop.processPayment(id, "pm_card_challenge"));
      await shop.sim.customer.authenticate(redirectUrl);
      await settled(shop);
    },
  },
  { title: "The first payment fails: stays `incomplete`", until: start, act: pay("pm_card_generic_decline") },
  {
    title: "24 hours without payment: `incomplete` → `incomplete_cancelled`",
    until: start,
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "The first payment fails after the 24 hours: `incomplete` → `incomplete_cancelled`",
    processingTime: "30 hours",
    until: async (shop) => {
      const started = await shop.start();
      await shop.processPayment(started.id, "pm_card_generic_decline");
      await settled(shop);
      return started;
    },
    act: ({ sim }) => sim.clock.advance("30 hours"),
  },
  { title: "A renewal succeeds: stays `active`", until: active, act: untilRenewal },
  {
    title: "A renewal fails: `active` → `past_due`",
    until: (shop) => shop.subscribe("pm_card_declines_renewals"),
    act: untilRenewal,
  },
  {
    title: "A retry fails: stays `past_due`",
    until: (shop) => shop.pastDue(),
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "The third retry fails: `past_due` → `unpaid`",
    until: async (shop) => {
      const subscription = await shop.pastDue();
      await shop.sim.clock.advance("48 hours");
      return subscription;
    },
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "A retry succeeds: `past_due` → `active`",
    until: async (shop) => {
      const subscription = await shop.pastDue("pm_card_recovers");
      await shop.sim.clock.advance("24 hours");
      return subscription;
    },
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "A payment by hand succeeds: `unpaid` → `active`",
    until: (shop) => shop.unpaid(),
    act: pay("pm_card_approved"),
  },
  { title: "A period ends in `unpaid`", until: (shop) => shop.unpaid(), act: untilRenewal },
  {
    title: "Two invoices are open and both are paid: `unpaid` → `active`",
    until: async (shop) => {
      const subscription = await shop.unpaid();
      await untilRenewal(shop, subscription.id);
      return subscription;
    },
    act: pay("pm_card_approved"),
  },
  { title: "DELETE of an `incomplete` subscription", until: start, act: cancel },
  { title: "DELETE while a challenge is open", until: challenged, act: cancel },
  { title: "DELETE of an `active` subscription", until: active, act: cancel },
  { title: "DELETE of a `past_due` subscription", until: (shop) => shop.pastDue(), act: cancel },
  {
    title: "DELETE while a payment is in processing that succeeds",
    processingTime: "1 hour",
    until: async (shop) => {
      const subscription = await shop.subscribe();
      await untilRenewal(shop, subscription.id);
      return subscription;
    },
    act: async (shop, id) => {
      await cancel(shop, id);
      await shop.sim.clock.advance("1 hour");
    },
  },
  {
    title: "A plan change, and a new payment method of an `active` subscription",
    until: active,
    act: async (shop, id) => {
      ok(await shop.changePlan(id, (await shop.createPlan()).id));
      ok(await shop.changeMethod(id, "pm_card_challenge"));
    },
  },
  {
    title: "A retry fails while a plan change is pending",
    until: async (shop) => {
      const subscription = await shop.subscribe("pm_card_declines_renewals");
      await untilRenewal(shop, subscription.id);
      return subscription;
    },
    act: async (shop, id) => {
      ok(await shop.changePlan(id, (await shop.createPlan()).id));
      await shop.sim.clock.advance("24 hours");
    },
  },
];

const OPTIONAL = [
  "paymentMethod",
  "currentPeriodStart",
  "currentPeriodEnd",
  "nextBillingAt",
  "pendingPlan",
  "cancelledAt",
  "declineCode",
];

/** The rows that the document has for what happens in a story. */
async function rowsOf({ until, act, processingTime = "0 seconds" }: Story): Promise<string[][]> {
  const shop = await Merchant.open({ assumptions: { "intent.processing-time": processingTime } });
  const { id } = await until(shop);
  await settled(shop);
  const before = shop.webhooks.length;
  await act(shop, id);
  await settled(shop);
  return shop.webhooks.slice(before).map(({ type, data }) => {
    const { attributes } = data as { attributes: Readonly<Record<string, unknown>> };
    const { status, invoice } = attributes as { status: string; invoice?: { status: string } };
    const fields = OPTIONAL.filter((field) => Object.hasOwn(attributes, field));
    return [type as string, status, invoice?.status ?? "", fields.join(", ")].map((cell) =>
      cell
        .replace(/^(?=.)/, "`")
        .replace(/(?<=.)$/, "`")
        .replaceAll(", ", "`, `"),
    );
  });
}

/** The rows of the document's table under a heading. */
function rowsUnder(title: string): string[][] {
  const sections = readFileSync(new URL("../../docs/guide/subscription-events.md", import.meta.url), "utf8").split(
    "\n## ",
  );
  const section = sections.find((text) => text.startsWith(`${title}\n`));
  expect(section, `a section "${title}"`).toBeDefined();
  const rows = (section ?? "").split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("docs/guide/subscription-events.md is what happens", () => {
  test.each(stories)("$title", async (story) => {
    expect(await rowsOf(story)).toEqual(rowsUnder(story.title));
  });

  test("and has no other sections", () => {
    const document = readFileSync(new URL("../../docs/guide/subscription-events.md", import.meta.url), "utf8");
    const titles = [...document.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(stories.map(({ title }) => title));
  });
});
