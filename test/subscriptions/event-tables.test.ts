import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

/** How a situation is reached, and what happens then. */
interface Story {
  readonly title: string;
  readonly processingTime?: string;
  readonly until: (merchant: Merchant) => Promise<{ readonly id: string }>;
  readonly act: (merchant: Merchant, id: string) => Promise<unknown>;
}

const settled = async ({ sim }: Merchant): Promise<void> => sim.clock.settle();
const pay =
  (method: string): Story["act"] =>
  async (merchant, id) => {
    await merchant.processPayment(id, method);
    await settled(merchant);
  };
const start: Story["until"] = (merchant) => merchant.start();
const active: Story["until"] = (merchant) => merchant.subscribe();
const challenged: Story["until"] = async (merchant) => {
  const started = await merchant.start();
  await merchant.processPayment(started.id, "pm_card_challenge");
  return started;
};
const untilRenewal: Story["act"] = async (merchant, id) =>
  merchant.sim.clock.advanceTo(merchant.sim.subscriptions.get(id)?.nextBillingAt ?? "");
const cancel: Story["act"] = async (merchant, id) => ok(await merchant.cancelSubscription(id));

const stories: readonly Story[] = [
  { title: "Initiate", until: async () => ({ id: "" }), act: (merchant) => merchant.start() },
  { title: "The first payment succeeds: `incomplete` → `active`", until: start, act: pay("pm_card_approved") },
  {
    title: "The first payment meets a challenge, which the customer passes: `incomplete` → `active`",
    until: start,
    act: async (merchant, id) => {
      const { redirectUrl = "" } = ok(await merchant.processPayment(id, "pm_card_challenge"));
      await merchant.sim.customer.authenticate(redirectUrl);
      await settled(merchant);
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
    until: async (merchant) => {
      const started = await merchant.start();
      await merchant.processPayment(started.id, "pm_card_generic_decline");
      await settled(merchant);
      return started;
    },
    act: ({ sim }) => sim.clock.advance("30 hours"),
  },
  { title: "A renewal succeeds: stays `active`", until: active, act: untilRenewal },
  {
    title: "A renewal fails: `active` → `past_due`",
    until: (merchant) => merchant.subscribe("pm_card_declines_renewals"),
    act: untilRenewal,
  },
  {
    title: "A retry fails: stays `past_due`",
    until: (merchant) => merchant.pastDue(),
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "The third retry fails: `past_due` → `unpaid`",
    until: async (merchant) => {
      const subscription = await merchant.pastDue();
      await merchant.sim.clock.advance("48 hours");
      return subscription;
    },
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "A retry succeeds: `past_due` → `active`",
    until: async (merchant) => {
      const subscription = await merchant.pastDue("pm_card_recovers");
      await merchant.sim.clock.advance("24 hours");
      return subscription;
    },
    act: ({ sim }) => sim.clock.advance("24 hours"),
  },
  {
    title: "A payment by hand succeeds: `unpaid` → `active`",
    until: (merchant) => merchant.unpaid(),
    act: pay("pm_card_approved"),
  },
  { title: "A period ends in `unpaid`", until: (merchant) => merchant.unpaid(), act: untilRenewal },
  {
    title: "Two invoices are open and both are paid: `unpaid` → `active`",
    until: async (merchant) => {
      const subscription = await merchant.unpaid();
      await untilRenewal(merchant, subscription.id);
      return subscription;
    },
    act: pay("pm_card_approved"),
  },
  { title: "DELETE of an `incomplete` subscription", until: start, act: cancel },
  { title: "DELETE while a challenge is open", until: challenged, act: cancel },
  { title: "DELETE of an `active` subscription", until: active, act: cancel },
  { title: "DELETE of a `past_due` subscription", until: (merchant) => merchant.pastDue(), act: cancel },
  {
    title: "DELETE while a payment is in processing that succeeds",
    processingTime: "1 hour",
    until: async (merchant) => {
      const subscription = await merchant.subscribe();
      await untilRenewal(merchant, subscription.id);
      return subscription;
    },
    act: async (merchant, id) => {
      await cancel(merchant, id);
      await merchant.sim.clock.advance("1 hour");
    },
  },
  {
    title: "A plan change, and a new payment method of an `active` subscription",
    until: active,
    act: async (merchant, id) => {
      ok(await merchant.changePlan(id, (await merchant.createPlan()).id));
      ok(await merchant.changeMethod(id, "pm_card_challenge"));
    },
  },
  {
    title: "A retry fails while a plan change is pending",
    until: async (merchant) => {
      const subscription = await merchant.subscribe("pm_card_declines_renewals");
      await untilRenewal(merchant, subscription.id);
      return subscription;
    },
    act: async (merchant, id) => {
      ok(await merchant.changePlan(id, (await merchant.createPlan()).id));
      await merchant.sim.clock.advance("24 hours");
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
  const merchant = await Merchant.open({ assumptions: { "intent.processing-time": processingTime } });
  const { id } = await until(merchant);
  await settled(merchant);
  const before = merchant.webhooks.length;
  await act(merchant, id);
  await settled(merchant);
  return merchant.webhooks.slice(before).map((webhook) => {
    const { type, data } = webhook as { readonly type: string; readonly data?: unknown };
    const { attributes } = data as { attributes: Readonly<Record<string, unknown>> };
    const { status, invoice } = attributes as { status: string; invoice?: { status: string } };
    const fields = OPTIONAL.filter((field) => Object.hasOwn(attributes, field));
    return [type, status, invoice?.status ?? "", fields.join(", ")].map((cell) =>
      cell
        .replace(/^(?=.)/, "`")
        .replace(/(?<=.)$/, "`")
        .replaceAll(", ", "`, `"),
    );
  });
}

/** The part of the page that has the tables. */
function eventTables(): string {
  const page = readFileSync(new URL("../../docs/guide/subscriptions.md", import.meta.url), "utf8");
  return page.slice(page.indexOf("\n## The events of each move\n"));
}

/** The rows of the page's table under a heading. */
function rowsUnder(title: string): string[][] {
  const sections = eventTables().split("\n### ");
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

describe("the event tables of docs/guide/subscriptions.md are what happens", () => {
  test.each(stories)("$title", async (story) => {
    expect(await rowsOf(story)).toEqual(rowsUnder(story.title));
  });

  test("and has no other sections", () => {
    const titles = [...eventTables().matchAll(/^### (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(stories.map(({ title }) => title));
  });
});
