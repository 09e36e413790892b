import { testMethods } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { halfOf } from "../half-of.ts";

/** The moves of part 3.1, and `canceled` from every state before `processing`. */
const LEGAL = new Set([
  "requires_payment_method → requires_confirmation",
  "requires_confirmation → processing",
  "requires_confirmation → requires_action",
  "requires_action → processing",
  "processing → succeeded",
  "processing → failed",
  "requires_payment_method → canceled",
  "requires_confirmation → canceled",
  "requires_action → canceled",
]);
/** Every method, and those with a challenge often enough to meet every end of one. */
const METHODS = [...testMethods, ...testMethods.filter(({ challenge }) => challenge !== undefined)].map(({ id }) => id);
const UNANNOUNCED = new Set(["payment_intent.created", "payment_intent.requires_confirmation"]);
const FINAL = ["succeeded", "failed", "canceled"];

interface Known {
  readonly id: string;
  readonly amount: number;
  redirectUrl?: string;
  /** As it was when the method became known. */
  fee?: number;
}

/** What the test itself knows: the intents that it made. */
interface Model {
  readonly intents: Known[];
}

type Act = (merchant: Merchant, intent: Known) => Promise<unknown>;

class Create implements fc.AsyncCommand<Model, Merchant> {
  readonly #amount: number;
  constructor(amount: number) {
    this.#amount = amount;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, merchant: Merchant): Promise<void> {
    const { id } = await merchant.createIntent({ amount: this.#amount, returnUrl: "https://shop.example/thanks" });
    model.intents.push({ id, amount: this.#amount });
    await holds(model, merchant);
  }
  toString(): string {
    return `create(${this.#amount})`;
  }
}

class Do implements fc.AsyncCommand<Model, Merchant> {
  readonly #name: string;
  readonly #pick: number;
  readonly #act: Act;
  constructor(name: string, pick: number, act: Act) {
    this.#name = name;
    this.#pick = pick;
    this.#act = act;
  }
  check({ intents }: Readonly<Model>): boolean {
    return intents.length > 0;
  }
  async run(model: Model, merchant: Merchant): Promise<void> {
    await this.#act(merchant, model.intents[this.#pick % model.intents.length] as Known);
    await holds(model, merchant);
  }
  toString(): string {
    return `${this.#name}(#${this.#pick})`;
  }
}

const confirm =
  (method: string): Act =>
  async (merchant, intent) => {
    const { body } = await merchant.confirm(intent.id, method);
    const redirectUrl = body.data?.redirectUrl ?? body.redirectUrl;
    if (redirectUrl !== undefined) Object.assign(intent, { redirectUrl });
  };
const onChallenge =
  (act: "authenticate" | "failAuthentication" | "abandon"): Act =>
  async (merchant, { redirectUrl }) => {
    if (redirectUrl !== undefined) await merchant.sim.customer[act](redirectUrl);
  };
const cancel: Act = async ({ sim }, { id }) => {
  const before = sim.intents.get(id)?.status ?? "";
  if (before.startsWith("requires_")) sim.intents.cancel(id);
  else expect(() => sim.intents.cancel(id)).toThrow(before);
};

/** What is true after every command, as the journal and the outbox tell. */
async function holds({ intents }: Model, { sim, webhooks }: Merchant): Promise<void> {
  const { entries } = sim.journal;
  for (const [index, entry] of entries.entries()) {
    expect(entry.sequence).toBe(index + 1);
    expect(entry.at >= (entries[index - 1]?.at ?? "")).toBe(true);
  }
  const state = new Map<string, string | undefined>();
  for (const { kind, details } of entries) {
    if ((kind !== "step" && kind !== "timer") || details["resource"] !== "payment_intent") continue;
    const { id, from, to } = details as { id: string; from?: string; to: string };
    expect(from).toBe(state.get(id));
    expect(FINAL).not.toContain(from);
    if (from !== undefined && from !== to) expect(LEGAL).toContain(`${from} → ${to}`);
    state.set(id, to);
  }
  for (const known of intents) {
    const intent = sim.intents.get(known.id);
    expect(intent).toMatchObject({ amount: known.amount, status: state.get(known.id) });
    // After an outage another method may be attached, with another fee.
    if (intent?.status === "requires_confirmation") continue;
    if (intent?.paymentMethod !== undefined) known.fee ??= intent.fee;
    if (intent?.paymentMethod === undefined || intent.status !== "canceled") expect(intent?.fee).toBe(known.fee ?? 0);
  }
  const facts = entries
    .filter(({ kind, details }) => kind === "fact" && !UNANNOUNCED.has(details["type"]))
    .map(({ details }) => [details["type"], details["id"]]);
  const events = sim.webhooks.events();
  const told = (body: Readonly<Record<string, unknown>>): unknown[] => [
    body["type"],
    (body["data"] as { id: string }).id,
  ];
  expect(events.map(({ body }) => told(body))).toEqual(facts);
  expect(webhooks.map(told)).toEqual(facts.slice(0, webhooks.length));
}

const pick = fc.nat(3);
const named = (name: string, act: Act): fc.Arbitrary<Do> => pick.map((index) => new Do(name, index, act));

test("under any acts of a merchant, a customer and time, an intent makes only the document's moves, and each is announced once", async () => {
  const commands = fc.commands(
    [
      fc.integer({ min: 1, max: 500_000 }).map((amount) => new Create(amount)),
      fc
        .tuple(pick, fc.constantFrom(...METHODS))
        .map(([index, method]) => new Do(`confirm ${method}`, index, confirm(method))),
      named("authenticate", onChallenge("authenticate")),
      named("fail", onChallenge("failAuthentication")),
      named("abandon", onChallenge("abandon")),
      named("cancel", cancel),
      fc
        .tuple(pick, fc.constantFrom(0, 1, 899_999, 900_000, 3_599_999, 3_600_000, 14_400_000), fc.nat(1000))
        .map(
          ([index, base, extra]) =>
            new Do(`advance ${base + extra} ms`, index, async ({ sim }) =>
              sim.clock.advance({ milliseconds: base + extra }),
            ),
        ),
    ],
    { maxCommands: 40, size: "max" },
  );
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(commands, fc.constantFrom("0 seconds", "2 seconds", "1 hour"), async (cmds, processingTime) => {
      const merchant = await Merchant.open({ assumptions: { "intent.processing-time": processingTime } });
      const { id } = await merchant.createIntent({ amount: 10_000 });
      await fc.asyncModelRun(() => ({ model: { intents: [{ id, amount: 10_000 }] }, real: merchant }), cmds);
      for (const { status, declineCode = "" } of merchant.sim.intents.list())
        reached.add(`${status} ${declineCode}`.trim());
    }),
    halfOf({ numRuns: 60, seed: 20_260_101 }),
  );
  // The commands must reach every end, or the property would prove little.
  expect([...reached]).toEqual(
    expect.arrayContaining([
      "succeeded",
      "canceled",
      "requires_action",
      "processing",
      "failed authentication_expired",
      "failed authentication_failed",
      "failed generic_decline",
    ]),
  );
});
