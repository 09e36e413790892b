import { testMethods } from "../service/test-methods.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** Something that happened beside the exchanges: what a customer, the service's back office or time did. */
export interface Act {
  readonly words: string;
  readonly perform: (sim: Simulator) => Promise<unknown>;
}

/** How many of the world's next timers are tried. */
const MOST_TIMERS = 4;
/** How many resources a list is looked at for. */
const MOST_RESOURCES = 5;

const settle: Act = { words: "what was due happens", perform: (sim) => sim.clock.settle() };

/** The methods with which a customer may have paid, likeliest first: one of each outcome. */
const methods = testMethods.filter(({ unavailableOnce }) => unavailableOnce === undefined);

/** Returns the sequences of acts that may have led to what a recording shows of these resources, likeliest first. */
export function actsOn(sim: Simulator, names: readonly string[]): readonly (readonly Act[])[] {
  const sequences = resourcesOf(sim, names).flatMap((name) =>
    [sessionActs, challengeActs, cancelActs].flatMap((acts) => acts(sim, name)),
  );
  return [[settle], ...sequences.flatMap((acts) => [acts, [...acts, settle]]), ...timerActs(sim)];
}

/** Returns the resources that are named; of an exchange that names none, the newest that have not ended. */
function resourcesOf(sim: Simulator, names: readonly string[]): readonly string[] {
  const known = [...new Set(names)].filter(
    (name) => sim.checkouts.get(name) ?? sim.intents.get(name) ?? sim.subscriptions.get(name),
  );
  if (known.length > 0) return known;
  const sessions = sim.checkouts.list({ status: "pending" }).map(({ sessionToken }) => sessionToken);
  const intents = sim.intents.list({ status: "requires_action" }).map(({ id }) => id);
  return [...sessions, ...intents].slice(-MOST_RESOURCES);
}

function sessionActs(sim: Simulator, name: string): Act[][] {
  const session = sim.checkouts.get(name);
  if (session?.status !== "pending") return [];
  const { checkoutUrl, intentId } = session;
  const isChallenged = sim.intents.get(intentId)?.status === "requires_action";
  const paid = isChallenged
    ? []
    : methods.flatMap(({ id, outcome, challenge }): Act[][] => {
        const pay: Act = {
          words: `the customer pays on the hosted page (${id}: ${outcome})`,
          perform: (its) => its.customer.pay(checkoutUrl, id),
        };
        return challenge === undefined ? [[pay]] : [[pay], [pay, passed(intentId)], [pay, failed(intentId)]];
      });
  const cancel: Act = {
    words: "the customer cancels on the hosted page",
    perform: (its) => its.customer.cancel(checkoutUrl),
  };
  return [...paid, [cancel]];
}

function challengeActs(sim: Simulator, name: string): Act[][] {
  const intentId =
    sim.checkouts.get(name)?.intentId ?? sim.subscriptions.get(name)?.latestInvoice.paymentIntent.id ?? name;
  if (sim.intents.get(intentId)?.status !== "requires_action") return [];
  return [[passed(intentId)], [failed(intentId)]];
}

function passed(intentId: string): Act {
  return { words: "the customer passes the challenge", perform: (sim) => sim.customer.authenticate(intentId) };
}

function failed(intentId: string): Act {
  return { words: "the customer fails the challenge", perform: (sim) => sim.customer.failAuthentication(intentId) };
}

function cancelActs(sim: Simulator, name: string): Act[][] {
  const intent = sim.intents.get(name);
  if (intent?.purpose !== "payment_intent" || ["succeeded", "failed", "canceled"].includes(intent.status)) return [];
  return [
    [
      {
        words: "the service's back office cancels the intent",
        perform: async (its) => its.intents.cancel(name),
      },
    ],
  ];
}

/** Time goes on, to each of the moments at which something is due. */
function timerActs(sim: Simulator): Act[][] {
  const moments = [...new Set(sim.clock.pending().flatMap(({ at }) => (at === undefined ? [] : [at])))];
  return moments.slice(0, MOST_TIMERS).map((at, index) => [
    {
      words:
        index === 0 ? "time goes on until something is due" : `time goes on until something is due, ${index + 1} times`,
      perform: (its) => its.clock.advanceTo(at),
    },
  ]);
}
