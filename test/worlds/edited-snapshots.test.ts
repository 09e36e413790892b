import { createSimulator, type Simulator, type Snapshot } from "centavo";
import { createClient } from "centavo/client";
import { describe, expect, test } from "vitest";
import { CONTACT, HOOKS, SHOP } from "../merchant/requests.ts";

/** A snapshot that a test may change anywhere. */
interface Editable {
  version: number;
  digest?: string;
  world: {
    now: number;
    streams: Record<string, number[]>;
    timers: { owner: string; name: string }[];
    tables: Record<string, [string, Record<string, unknown> & { data: Record<string, unknown> }][]>;
    journal: unknown[];
  };
}

const options = { seed: 3, webhookUrl: HOOKS, now: "2026-01-01T00:00:00Z" } as const;

/** A world in which a subscription is active, a payment has succeeded, another waits for its customer, and one is being processed. */
async function busyWorld(): Promise<{ sim: Simulator; paid: string; beforeTheSecond: number[] }> {
  const sim = createSimulator(options);
  sim.connect(SHOP, () => new Response());
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const plan = await client.plans.create({ name: "Coffee club", amount: 500, interval: "week" });
  const { id } = await client.subscriptions.initiate({ planId: plan.id, contact: { name: "Ana", email: "ana@x.ph" } });
  const beforeTheSecond = [...(sim.snapshot().world.streams["id/pi"] ?? [])];
  await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });
  const paid = await client.paymentIntents.create({ amount: 700 });
  await client.paymentIntents.confirm(paid.id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
  const challenged = await client.paymentIntents.create({ amount: 800 });
  await client.paymentIntents.confirm(challenged.id, { paymentMethodId: "pm_card_challenge" });
  await client.checkout.create({
    externalId: "order-1",
    amount: 999,
    description: "Two coffees",
    webhookUrl: HOOKS,
    returnUrl: SHOP,
    contact: CONTACT,
  });
  const processing = await client.paymentIntents.create({ amount: 60 });
  await client.paymentIntents.confirm(processing.id, { paymentMethodId: "pm_card_approved" });
  return { sim, paid: paid.id, beforeTheSecond };
}

const { sim: origin, paid, beforeTheSecond } = await busyWorld();
const text = JSON.stringify(origin.snapshot());

const copy = (): Editable => JSON.parse(text) as Editable;
const rowsIn = ({ world }: Editable, table: string) => world.tables[table] ?? [];
const rowIn = (snapshot: Editable, table: string) => rowsIn(snapshot, table)[0]?.[1] ?? { data: {} };
const rowOf = (snapshot: Editable, table: string, field: string) =>
  rowsIn(snapshot, table).find(([id, row]) => id === paid || row[field] === paid)?.[1] ?? { data: {} };
const without = (owner: string, name: string) => (snapshot: Editable) => {
  snapshot.world.timers = snapshot.world.timers.filter((timer) => timer.owner !== owner || timer.name !== name);
};

/** Restores a snapshot in a new simulator, and returns that. */
function restored(snapshot: unknown, edited = false): Simulator {
  const sim = createSimulator(options);
  sim.restore(snapshot as Snapshot, { edited });
  return sim;
}

describe("a snapshot that was edited after it was taken is refused in these words, and the world stays as it was:", () => {
  test.for<[string, (snapshot: Editable) => unknown]>([
    ["the timer of a renewal is missing", without("subscription", "renewal")],
    ["the timer of a session's expiry is missing", without("checkout", "expiry")],
    ["the timer of a challenge is missing", without("payment_intent", "challenge")],
    ["the timer of a decision is missing", without("payment_intent", "decide")],
    ["the timers of deliveries are missing", without("webhook", "deliver")],
    [
      "the transaction of a payment is missing",
      (it) =>
        (it.world.tables["transactions"] = rowsIn(it, "transactions").filter(([, row]) => row["resourceId"] !== paid)),
    ],
    ["an invoice has another amount than its payment", (it) => (rowIn(it, "invoice").data["amount"] = 499)],
    ["an invoice has another currency than its payment", (it) => (rowIn(it, "invoice").data["currency"] = "USD")],
    ["a transaction has another amount", (it) => (rowOf(it, "transactions", "resourceId")["amount"] = 7)],
    ["a transaction has another status", (it) => (rowOf(it, "transactions", "resourceId")["status"] = "failed")],
    [
      "an intent pays for another subscription",
      (it) => (rowIn(it, "payment_intent").data["subscriptionId"] = "sub_zzzzzzzzzzzzzzzzzzzzzzzz"),
    ],
    [
      "a receiver answered 3600200",
      (it) => (rowIn(it, "webhook-attempts")["answer"] = { kind: "answered", status: 36e5 }),
    ],
    [
      "a receiver answered -1.5",
      (it) => (rowIn(it, "webhook-attempts")["answer"] = { kind: "answered", status: -1.5 }),
    ],
    ["an event is of a merchant who does not exist", (it) => (rowIn(it, "webhook-events")["merchantId"] = "mer_x")],
    ["a token was never issued", (it) => rowsIn(it, "access-tokens").push(["let-me-in", rowIn(it, "access-tokens")])],
    ["a stream is at its beginning", (it) => (it.world.streams["id/pi"] = it.world.streams["id/mer"] ?? [])],
    ["a stream is gone", (it) => delete it.world.streams["id/pi"]],
    ["a stream was rewound", (it) => (it.world.streams["id/pi"] = beforeTheSecond)],
    [
      "rows have another order",
      (it) => rowsIn(it, "payment_intent").push(...rowsIn(it, "payment_intent").splice(0, 1)),
    ],
    ["the journal is cut", (it) => (it.world.journal.length = 3)],
    [
      "the processor decided otherwise",
      (it) => (rowIn(it, "payment_intent").data["outcome"] = { approved: false, declineCode: "stolen_card" }),
    ],
    ["a payment is still to be decided", (it) => (rowOf(it, "payment_intent", "id").data["decidesAt"] = 9e12)],
    ["the clock is set", (it) => (it.world.now += 1)],
    ["a table is empty", (it) => (it.world.tables["service-keys"] = [])],
    ["an id is another", (it) => ((rowsIn(it, "payment_intent")[0] ?? [])[0] = "pi_1")],
    ["a field was added", (it) => (rowIn(it, "payment_intent").data["note"] = "mine")],
    [
      "a field named __proto__ was added",
      (it) => Object.defineProperty(rowIn(it, "plans"), "__proto__", { value: {}, enumerable: true }),
    ],
    ["an optional field is gone", (it) => delete rowIn(it, "subscription").data["contact"]],
    ["a field is null", (it) => Object.assign(rowIn(it, "plans"), { description: null })],
    // The journal's digest and the bodies of events follow the order of fields.
    ["fields are sorted", (it) => Object.assign(it, { world: sorted(it.world) })],
    [
      "fields of one row are in the opposite order",
      (it) => {
        const [first] = rowsIn(it, "plans");
        if (first !== undefined) first[1] = sorted(first[1], -1) as (typeof first)[1];
      },
    ],
    ["a number is a text", (it) => Object.assign(rowIn(it, "plans"), { amount: "500" })],
    ["a member was added", (it) => Object.assign(it, { note: "mine" })],
    ["a list has one more member", (it) => it.world.journal.push(it.world.journal.at(-1))],
    ["the digest is gone", (it) => delete it.digest],
    ["the digest is another", (it) => (it.digest = "0".repeat(64))],
    ["the digest is that of another world", (it) => (it.digest = createSimulator(options).snapshot().digest)],
    ["the digest is no text", (it) => Object.assign(it, { digest: [it.digest] })],
    ["the world is gone", (it) => Reflect.deleteProperty(it, "world")],
  ])("%s", ([, damage]) => {
    const damaged = copy();
    damage(damaged);
    expect(JSON.stringify(damaged)).not.toBe(text);
    const sim = createSimulator(options);
    const before = sim.snapshot();
    expect(() => sim.restore(damaged as unknown as Snapshot)).toThrow(
      expect.objectContaining({
        code: "INVALID_SNAPSHOT",
        message:
          "sim.restore: the snapshot was edited after it was taken: its digest does not match its content. Restore what sim.snapshot() returned, in a simulator of the same version and seed, or call sim.restore(snapshot, { edited: true }), which checks its fields alone; the world is as it was.",
      }),
    );
    expect(sim.snapshot()).toEqual(before);
  });
});

describe("a snapshot with the same values is taken, however its file is written:", () => {
  test.for<[string, string]>([
    ["unchanged", text],
    ["with indents", JSON.stringify(JSON.parse(text), undefined, 2)],
    ["with numbers in another notation", text.replaceAll(/(?<!\\)":(\d+)(?=[,}])/g, '":$1.0e0')],
    ["with escaped letters", text.replaceAll("payment_intent", String.raw`\u0070ayment_intent`)],
  ])("%s", ([, written]) => {
    const sim = restored(JSON.parse(written));
    expect(sim.snapshot()).toEqual(origin.snapshot());
    expect(sim.snapshot().digest).toBe(origin.snapshot().digest);
    expect(sim.journal.digest()).toBe(origin.journal.digest());
  });

  test("nor does it matter whether it was copied in memory", () => {
    for (const same of [structuredClone(origin.snapshot()), { ...origin.snapshot() }])
      expect(restored(same).snapshot()).toEqual(origin.snapshot());
  });
});

describe("an edited snapshot that is restored as such", () => {
  test("is taken as it is, also where its rows contradict one another", () => {
    const edited = copy();
    rowIn(edited, "invoice").data["amount"] = 499;
    without("checkout", "expiry")(edited);
    const sim = restored(edited, true);
    expect(sim.invoices.list()[0]?.amount).toBe(499);
    expect(sim.clock.pending().map(({ key }) => key)).not.toContainEqual(expect.stringContaining("expiry"));
    const { digest, ...content } = sim.snapshot();
    expect(content).toEqual({ version: edited.version, world: edited.world });
    expect(digest).not.toBe(edited.digest);
  });

  test("needs no digest", () => {
    const { digest: _, ...content } = copy();
    expect(restored(content, true).snapshot()).toEqual(origin.snapshot());
  });

  test("has a snapshot of its own, which counts as taken", () => {
    const edited = copy();
    rowIn(edited, "invoice").data["amount"] = 499;
    const again = JSON.parse(JSON.stringify(restored(edited, true).snapshot())) as unknown;
    expect(restored(again).invoices.list()[0]?.amount).toBe(499);
  });
});

test.for(["yes", 1, null])("sim.restore refuses { edited: %j }, naming what it takes", (edited) => {
  expect(() => createSimulator(options).restore(origin.snapshot(), { edited: edited as never })).toThrow(
    /sim\.restore: the option edited is .*true or false/,
  );
});

/** Returns plain data with the fields of every object in alphabetical order, or the opposite. */
function sorted(value: unknown, direction = 1): unknown {
  if (Array.isArray(value)) return value.map((part) => sorted(part, direction));
  if (typeof value !== "object" || value === null) return value;
  const names = Object.entries(value).toSorted(([left], [right]) => (left < right ? -direction : direction));
  return Object.fromEntries(names.map(([name, part]) => [name, sorted(part, direction)]));
}
