/**
 * A child process that fills worlds with subscriptions, plans and events, and reads pages of them. The rows are copies of one that the
 * service made, and share what they can, so that a million fit. Needs `--expose-gc`.
 */
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { answerParent } from "./child.ts";
import { tokenOf } from "./flow.ts";
import { median, microsecondsSince } from "./measure.ts";

/** The cost of lists of this size: median milliseconds of one answer. */
export interface ListCosts {
  readonly subscriptions: number;
  readonly plans: number;
  readonly last: number;
  readonly fewByStatus: number;
  readonly events: number;
  readonly failures: number;
  readonly attempts: number;
  /** Microseconds of processor time per row that the first question after a restore takes more than any other. */
  readonly first: number;
}

type World = ReturnType<Simulator["snapshot"]>["world"];
type Entry = readonly [string, Record<string, unknown>];

const ROUNDS = 101;
/** How many rows of a list the narrowest filters find. */
const FEW = 10;

answerParent(async (question): Promise<ListCosts> => {
  const count = question as number;
  const sim = await smallWorld();
  await costsOf(sim, 1000);
  return costsOf(sim, count);
});

/** A world with a plan, a subscription that is paid, its invoice, and an event whose delivery failed. */
async function smallWorld(): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", () => new Response(null, { status: 500 }));
  const headers = { authorization: `Bearer ${await tokenOf(sim)}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<string> => {
    const response = await sim.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const planId = await post("/api/subscription/plans", { name: "Gym", amount: 149_900, interval: "month" });
  const contact = { name: "Maria Santos", email: "maria@mail.example" };
  const subscriptionId = await post("/api/subscription/initiate", { planId, contact });
  await post("/api/subscription/process-payment", { subscriptionId, paymentMethodId: "pm_card_approved" });
  await sim.clock.advance("1 minute");
  return sim;
}

async function costsOf(sim: Simulator, count: number): Promise<ListCosts> {
  const { world } = sim.snapshot();
  const { engine, subscriptions } = sim.internals.parts;
  const merchantId = sim.credentials.merchantId ?? "";
  const answered = (ask: (round: number) => readonly unknown[]): number => {
    const figures = Array.from({ length: ROUNDS }, (_, round) => {
      const start = performance.now();
      const found = ask(round).length;
      const took = performance.now() - start;
      if (found === 0) throw new Error("A list was empty.");
      return took;
    });
    return median(figures);
  };
  /** Goes to a world with so many rows, in which only a few have what is asked for. */
  const goTo = (tables: Readonly<Record<string, readonly (readonly [string, unknown])[]>>): void =>
    engine.goBackTo({ ...world, tables: { ...world.tables, ...tables } });
  const isOneOfFew = (index: number): boolean => index % Math.ceil(count / FEW) === 0;

  const [invoiceId] = newestIn(world, "invoice");
  goTo({
    subscription: copies(world, "subscription", count, (row, index) => ({
      state: isOneOfFew(index) ? "unpaid" : "active",
      data: { ...(row["data"] as object), sessionToken: `token ${index}` },
    })),
    "latest-invoices": Array.from({ length: count }, (_, index) => [idOf("subscription", index), invoiceId]),
  });
  const start = process.cpuUsage();
  sim.subscriptions.last();
  const first = microsecondsSince(start) / count;
  const ofSubscriptions = {
    subscriptions: answered(() => subscriptions.list(merchantId, { status: "active" }).items),
    last: answered(() => [sim.subscriptions.last()]),
    fewByStatus: answered(() => sim.subscriptions.list({ status: "unpaid" })),
  };

  goTo({ subscription: [], "latest-invoices": [], plans: copies(world, "plans", count) });
  const planAt = (round: number): string => idOf("plans", 1 + Math.floor(((count - 2) * round) / ROUNDS));
  const plans = answered((round) => subscriptions.plans.list(merchantId, { after: planAt(round) }).items);

  const [, attempt] = newestIn(world, "webhook-attempts");
  goTo({
    plans: [],
    "webhook-events": copies(world, "webhook-events", count, (_, index) =>
      isOneOfFew(index) ? { type: "subscription.unpaid", attempts: 1 } : { attempts: 0 },
    ),
    "webhook-attempts": Array.from({ length: count }, (_, index) => index)
      .filter(isOneOfFew)
      .map((index) => {
        const eventId = idOf("webhook-events", index);
        return [`${eventId}/1`, { ...attempt, eventId, number: 1 }];
      }),
  });
  const ofEvents = {
    events: answered(() => sim.webhooks.events({ type: "subscription.unpaid" })),
    failures: answered(() => sim.webhooks.failures()),
    attempts: answered(() => sim.webhooks.attempts({ eventId: idOf("webhook-events", 0) })),
  };
  engine.goBackTo(world);
  return { ...ofSubscriptions, plans, ...ofEvents, first };
}

function newestIn(world: World, table: string): Entry {
  return world.tables[table]?.at(-1) as Entry;
}

const prefixes: Readonly<Record<string, string>> = {
  subscription: "sub_",
  plans: "plan_",
  "webhook-events": "evt_",
};

function idOf(table: string, index: number): string {
  return `${prefixes[table]}${String(index).padStart(24, "0")}`;
}

/** Copies the newest row of a table so many times, with what differs. */
function copies(
  world: World,
  table: string,
  count: number,
  differing: (row: Record<string, unknown>, index: number) => object = () => ({}),
): Entry[] {
  const [, row] = newestIn(world, table);
  return Array.from({ length: count }, (_, index) => {
    const id = idOf(table, index);
    return [id, { ...row, id, ...differing(row, index) }];
  });
}
