import { CLIENT_ERROR, SERVER_ERROR } from "../testing/shake/test-record.ts";
import type { PassedPayment, TestRecord } from "../testing/shake/test-record.ts";
import { isCharging } from "../troubles/routes.ts";

/** What a trouble made customers lose. */
export interface MoneyTaken {
  /** The law of the exam that it breaks. */
  readonly law: "charged-once" | "subscribed-once" | "acts-on-what-it-was-told" | "leaves-for-good";
  /** In one sentence. */
  readonly what: string;
  /** In a few words, such as `charged twice, ₱998.00 for order-1`. */
  readonly brief: string;
  /** What they paid more than they asked for, in centavos. */
  readonly amount: number;
  /** The belief that leads there, where it is not that of the law. */
  readonly belief?: undefined;
}

/** Returns what customers paid more than they asked for: more than in the run in which nothing went wrong. */
export function moneyTaken(plain: TestRecord, shaken: TestRecord): readonly MoneyTaken[] {
  const ofOneOrder = takenByOrder(plain, shaken);
  return ofOneOrder.length > 0 ? ofOneOrder : takenByNewOrders(plain, shaken);
}

/** Finds what was charged again under another id: a shop that names each try anew, instead of each order. */
function takenByNewOrders(plain: TestRecord, shaken: TestRecord): readonly MoneyTaken[] {
  const [before, after] = [chargesOf(plain), chargesOf(shaken)];
  const count = (charges: typeof before): number => [...charges.values()].flat().length;
  const more = count(after) - count(before);
  // Where the clock was moved further, a later payment may have fallen due.
  if (more <= 0 || !didTheSame(plain, shaken) || shaken.to > plain.to) return [];
  const others = [...after].filter(([name]) => !before.has(name)).flatMap(([, charges]) => charges);
  const added = others.slice(-more);
  // Without the trouble somebody paid already; whoever pays for the first time is another customer.
  if (added.length === 0 || before.size === 0) return [];
  const amount = sumOf(added);
  return [
    {
      law: added[0]?.purpose === "subscription" ? "subscribed-once" : "charged-once",
      what: `The customers were charged ${times(count(after))}, and without the trouble ${times(count(before))}: ${pesos(amount)} more, for ${added.map(({ externalId }) => externalId).join(", ")}.`,
      brief: `charged again under another id, ${pesos(amount)} more`,
      amount,
    },
  ];
}

function takenByOrder(plain: TestRecord, shaken: TestRecord): readonly MoneyTaken[] {
  const before = chargesOf(plain);
  return [...chargesOf(shaken)].flatMap(([name, charges]): MoneyTaken[] => {
    const asked = before.get(name) ?? [];
    // A payment without an id may be for another order, but a test that does the same asks for as many.
    const most = Math.max(asked.length, 1);
    if (charges.length <= most || (name === NAMELESS && !didTheSame(plain, shaken))) return [];
    const all = sumOf(charges);
    const isNameless = name === NAMELESS;
    const who = isNameless ? "a customer" : name;
    const isSubscription = charges[0]?.purpose === "subscription";
    return [
      {
        law: isSubscription ? "subscribed-once" : "charged-once",
        what: `${who} was charged ${times(charges.length)}, ${pesos(all)} in all${asked.length === 0 ? "" : `, and without the trouble ${times(asked.length)}`}.`,
        brief: `charged ${times(charges.length)}, ${pesos(all)}${isNameless ? "" : ` for ${name}`}`,
        amount: sumOf(charges.slice(most)),
      },
    ];
  });
}

/**
 * Returns what subscriptions were renewed for although the same test ends them when nothing goes wrong: the service did not learn of it.
 * Only a test that passes says that the merchant took the subscription for ended.
 */
export function chargedAfterLeaving(plain: TestRecord, shaken: TestRecord): readonly MoneyTaken[] {
  if (shaken.outcome.is !== "passed" || !didTheSame(plain, shaken) || shaken.to > plain.to) return [];
  // Whoever reads an error knows that the subscription goes on.
  if (cancelled(shaken) >= cancelled(plain) || shaken.refusedVisits > plain.refusedVisits) return [];
  const [before, after] = [invoicesOf(plain), invoicesOf(shaken)];
  const added = after.slice(before.length);
  if (added.length === 0) return [];
  const amount = sumOf(added);
  return [
    {
      law: "leaves-for-good",
      what: `A subscription that ends without the trouble was charged ${times(added.length)} more, ${pesos(amount)} in all, because the service never learned that it ends.`,
      brief: `charged ${times(added.length)} more, ${pesos(amount)}`,
      amount,
    },
  ];
}

/** How many subscriptions the service was told to cancel. */
function cancelled({ calls }: TestRecord): number {
  const done = calls.filter(
    ({ route, status = SERVER_ERROR }) => route === "subscription.cancel" && status < CLIENT_ERROR,
  );
  return new Set(done.map(({ path }) => path)).size;
}

function invoicesOf({ payments }: TestRecord): readonly PassedPayment[] {
  return payments.filter(({ status, subscriptionId }) => status === "succeeded" && subscriptionId !== undefined);
}

/** The faults after which the service has charged, and the merchant does not know. */
const ANSWER_GONE = /^response\.(?:lost|status|truncated)$/;

/** The events that say that something is paid. */
const PAID = /^(?:payment_intent\.succeeded|checkout\.completed|subscription\.(?:activated|invoice\.paid))$/;

/**
 * Returns what customers paid by a call whose answer never came, in a test that failed although the merchant had accepted
 * the events that say so, and the test let time pass for it to act.
 */
export function paidForNothing({ calls, events, payments, trouble }: TestRecord): readonly MoneyTaken[] {
  const { struckAt = Infinity, movedAfter } = trouble ?? {};
  const struck = calls.find(({ route, struckBy = "" }) => isCharging(route) && ANSWER_GONE.test(struckBy));
  if (movedAfter === undefined || struck === undefined) return [];
  const told = events.filter(
    ({ type, at, occurrence }) => PAID.test(type) && at >= struckAt && occurrence !== undefined,
  );
  const isAccepted = told.every(
    ({ status, attempts }) => status === "delivered" && attempts.every(({ struckBy }) => struckBy.length === 0),
  );
  const isOfCall = ({ id, purpose }: PassedPayment): boolean =>
    struck.path.includes(id) || (struck.route.startsWith("subscription.") && purpose === "subscription");
  const paid = payments.filter((payment) => payment.status === "succeeded" && isOfCall(payment));
  if (told.length === 0 || !isAccepted || paid.length === 0) return [];
  const amount = sumOf(paid);
  const what = `${pesos(amount)} ${paid.length === 1 ? "was" : "were"} paid, the merchant accepted every event that says so, and the test fails all the same.`;
  return [
    { law: "acts-on-what-it-was-told", what, brief: `${pesos(amount)} paid, and the merchant does not see it`, amount },
  ];
}

const NAMELESS = "";

/** Groups what was charged by what it was for. A subscription counts once, however often it was renewed. */
function chargesOf({ payments }: TestRecord): ReadonlyMap<string, readonly PassedPayment[]> {
  const charged = payments.filter(({ status }) => status === "succeeded" || status === "processing");
  const subscriptions = new Set<string>();
  const firsts = charged.filter(({ subscriptionId }) => {
    if (subscriptionId === undefined) return true;
    const isNew = !subscriptions.has(subscriptionId);
    subscriptions.add(subscriptionId);
    return isNew;
  });
  return Map.groupBy(firsts, ({ externalId = NAMELESS }) => externalId);
}

/** Whether nobody tried again because of the trouble: which payment without an id is whose cannot be told then. */
function didTheSame(plain: TestRecord, shaken: TestRecord): boolean {
  return plain.acts === shaken.acts;
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}

function sumOf(charges: readonly { readonly amount: number }[]): number {
  return charges.reduce((sum, { amount }) => sum + amount, 0);
}

/** Writes centavos as pesos, such as `₱998.00`. */
function pesos(centavos: number): string {
  return `₱${(centavos / 100).toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}
