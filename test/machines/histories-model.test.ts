import { testMethods } from "centavo";
import { checkoutMachine, invoiceMachine, paymentIntentMachine, subscriptionMachine } from "centavo/machines";
import * as fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import type { AnyStateMachine } from "xstate";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";
import type { Step } from "../../src/kit/engine/lifecycle.ts";
import { paymentService } from "../../src/service/service.ts";
import { Merchant } from "../merchant.ts";
import { BareMachine } from "./bare-machine.ts";
import type { Standing } from "./bare-machine.ts";

const DAY = 86_400_000;
const machines: Readonly<Record<string, AnyStateMachine>> = {
  payment_intent: paymentIntentMachine,
  checkout: checkoutMachine,
  subscription: subscriptionMachine,
  invoice: invoiceMachine,
};

afterEach(() => vi.restoreAllMocks());

test("the histories are of every lifecycle that a resource declares", () => {
  const names = paymentService.resources.flatMap(({ lifecycles }) => lifecycles.map(({ lifecycle }) => lifecycle.name));
  expect(Object.keys(machines).toSorted()).toEqual(names.toSorted());
});

/** Gives the bare machines every input that the service gives its lifecycles, and compares their states and data. */
function follow(seen: Set<string>): void {
  const bare = new Map(Object.entries(machines).map(([name, machine]) => [name, new BareMachine(machine)]));
  // The data of a row is what its next step starts from, so it tells which resource takes an input.
  const standings = new Map<object, Standing>();
  type Start = (this: Lifecycle, terms: unknown) => Step;
  type Take = (this: Lifecycle, ...given: Parameters<Lifecycle["step"]>) => Step | undefined;
  const start: Start = Reflect.get(Lifecycle.prototype, "start");
  const step: Take = Reflect.get(Lifecycle.prototype, "step");
  vi.spyOn(Lifecycle.prototype, "start").mockImplementation(function (this: Lifecycle, terms) {
    const created = start.call(this, terms);
    const standing = bare.get(this.name)?.start(terms as { at: number });
    if (standing !== undefined) keep(standing, created);
    return created;
  });
  vi.spyOn(Lifecycle.prototype, "step").mockImplementation(function (this: Lifecycle, state, data, input) {
    const stepped = step.call(this, state, data, input);
    const machine = bare.get(this.name);
    if (machine === undefined) return stepped;
    const before = standings.get(data) as Standing;
    const overdue = [...before.timers.values()].filter(({ at }) => at < input.at);
    expect(overdue, `${this.name} takes ${input.type}`).toEqual([]);
    const after = machine.step(before, input);
    expect(after, `${this.name} in ${state} takes ${input.type}`).toBeDefined();
    keep(after as Standing, stepped as Step);
    seen.add(`${this.name} ${input.type}`);
    return stepped;
  });

  function keep(standing: Standing, { state, data }: Step): void {
    expect([standing.snapshot.value, standing.snapshot.context]).toEqual([state, data]);
    standings.set(data, standing);
  }
}

type Act = { readonly act: string; readonly pick: number; readonly method: string; readonly time: number };

const methods = [
  ...testMethods.map(({ id }) => id),
  "pm_card_approved",
  "pm_card_declines_renewals",
  "pm_card_recovers",
];
const actsOf = (names: readonly string[], times: readonly number[]): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.record({
      act: fc.constantFrom(...names),
      pick: fc.nat(7),
      method: fc.constantFrom(...methods),
      time: fc.constantFrom(...times),
    }),
    { minLength: 10, maxLength: 40 },
  );
const one = <Value>(values: readonly Value[], pick: number): Value | undefined =>
  values[pick % Math.max(1, values.length)];

test("the bare machines take every history of intents and checkout sessions", async () => {
  const seen = new Set<string>();
  follow(seen);
  const acts = actsOf(
    ["confirm", "process", "process", "authenticate", "fail", "cancel", "give up", "advance", "advance"],
    [0, 1, 3_600_000, DAY],
  );
  await fc.assert(
    fc.asyncProperty(acts, fc.constantFrom("0 seconds", "30 hours"), async (all, processingTime) => {
      const merchant = await Merchant.open({
        assumptions: { "checkout.retry": 2, "intent.processing-time": processingTime },
      });
      const { sim } = merchant;
      const alone: string[] = [];
      const challenges: string[] = [];
      for (const { act, pick, method, time } of all) {
        const waiting = alone.filter((known) => sim.intents.get(known)?.status.startsWith("requires_"));
        const id = one(waiting, pick) ?? (await merchant.createIntent()).id;
        if (!alone.includes(id)) alone.push(id);
        const open = sim.checkouts.list().filter(({ status }) => status === "pending");
        const { sessionToken, checkoutUrl } =
          one(open, pick) ?? (await merchant.createCheckout({ externalId: `o-${pick}` }));
        const challenge = one(challenges.toReversed(), pick);
        if (act === "advance") await sim.clock.advance({ milliseconds: time });
        else if (act === "confirm" || act === "process") {
          const { body } = await (act === "confirm"
            ? merchant.confirm(id, method)
            : merchant.processCheckout(sessionToken, method));
          const redirectUrl = body.data?.redirectUrl ?? body.redirectUrl;
          if (redirectUrl !== undefined) challenges.push(redirectUrl);
        } else if (act === "give up") await sim.customer.cancel(checkoutUrl);
        else if (act === "cancel") sim.intents.cancel(id);
        else if (act === "authenticate" && challenge !== undefined) await sim.customer.authenticate(challenge);
        else if (act === "fail" && challenge !== undefined) await sim.customer.failAuthentication(challenge);
      }
      await sim.clock.advance("3 days");
      await sim.close();
    }),
    { numRuns: 25, seed: 20_260_101 },
  );
  expect([...seen].toSorted()).toEqual(inputsOf("payment_intent", "checkout"));
});

test("the bare machines take every history of subscriptions and invoices", async () => {
  const seen = new Set<string>();
  follow(seen);
  const acts = actsOf(
    [
      "pay",
      "pay",
      "change method",
      "confirm",
      "change plan",
      "cancel",
      "cancel intent",
      "authenticate",
      "fail",
      "advance",
      "advance",
      "advance",
      "advance",
    ],
    [0, 3_600_000, DAY - 1, DAY, 3 * DAY, 31 * DAY],
  );
  const assumptions = fc.record({
    "intent.processing-time": fc.constantFrom("0 seconds", "30 hours"),
    "subscription.cancel": fc.constantFrom("void" as const, "keep" as const),
    "subscription.off-session-challenge": fc.constantFrom("decline" as const, "redirect" as const),
  });
  await fc.assert(
    fc.asyncProperty(acts, assumptions, async (all, answers) => {
      const merchant = await Merchant.open({ assumptions: answers });
      const { sim } = merchant;
      const plans = [await merchant.createPlan({ interval: "day" }), await merchant.createPlan({ interval: "month" })];
      const challenges: string[] = [];
      for (const plan of plans)
        await merchant.processPayment((await merchant.initiate(plan.id)).id, "pm_card_declines_renewals");
      for (const { act, pick, method, time } of all) {
        const going = sim.subscriptions.list().filter(({ status }) => !status.endsWith("cancelled"));
        const plan = one(plans, pick)?.id ?? "";
        const { id } = one(going, pick) ?? (await merchant.initiate(plan));
        const invoice = one(
          sim.invoices.list().filter(({ status }) => status === "open"),
          pick,
        );
        const challenge = one(challenges.toReversed(), pick);
        if (act === "advance") await sim.clock.advance({ milliseconds: time });
        else if (act === "pay") remember(await merchant.processPayment(id, method));
        else if (act === "change method") await merchant.changeMethod(id, method);
        else if (act === "change plan") await merchant.changePlan(id, plan);
        else if (act === "cancel" && pick < 2) await merchant.cancelSubscription(id);
        else if (act === "confirm" && invoice !== undefined)
          remember(await merchant.confirmByKey(invoice.paymentIntent, method));
        else if (act === "cancel intent" && invoice?.paymentIntent.status.startsWith("requires_") === true)
          sim.intents.cancel(invoice.paymentIntent.id);
        else if (act === "authenticate" && challenge !== undefined) await sim.customer.authenticate(challenge);
        else if (act === "fail" && challenge !== undefined) await sim.customer.failAuthentication(challenge);
      }
      await sim.clock.advance("5 days");
      await sim.close();

      function remember({ body }: { body: { redirectUrl?: string; data?: { redirectUrl?: string } } }): void {
        const redirectUrl = body.data?.redirectUrl ?? body.redirectUrl;
        if (redirectUrl !== undefined) challenges.push(redirectUrl);
      }
    }),
    { numRuns: 25, seed: 20_260_101 },
  );
  const billing = [...seen].filter((input) => !input.startsWith("payment_intent"));
  expect(billing.toSorted()).toEqual(inputsOf("subscription", "invoice"));
}, 60_000);

/** Every input of these machines, so that histories that miss one fail. */
function inputsOf(...names: readonly string[]): string[] {
  return names.flatMap((name) => machines[name]?.events.map((event) => `${name} ${String(event)}`) ?? []).toSorted();
}
