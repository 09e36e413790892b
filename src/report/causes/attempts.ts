import { checkoutMachine } from "../../service/checkout/machine.ts";
import { paymentIntentMachine } from "../../service/payment-intents/machine.ts";
import { testMethodOf, testMethods } from "../../service/test-methods.ts";
import { subscriptionMachine } from "../../service/subscriptions/machine.ts";
import type { StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { Thrown } from "./thrown.ts";

/** What a payment is for, and the statuses that it can have. */
export const statuses = {
  payment_intent: Object.keys(paymentIntentMachine.states),
  checkout: Object.keys(checkoutMachine.states),
  subscription: Object.keys(subscriptionMachine.states),
};

/** A call, or an act of the customer, that paid for something. */
export interface Attempt {
  readonly kind: keyof typeof statuses;
  readonly id: string;
  /** The merchant's own names for it. */
  readonly externalId: string | undefined;
  readonly intent: string | undefined;
  readonly method: ReturnType<typeof testMethodOf>;
  /** The card, if its number was sent: what is shown of it. */
  readonly card: string | undefined;
}

/** Inputs by which a payment or a subscription gets a payment method. */
const PAYS: ReadonlySet<unknown> = new Set(["attach_method", "change_method", "confirm"]);

/** Returns all attempts to pay, oldest first. */
function attemptsIn(entries: readonly StoredEntry[]): Attempt[] {
  const attempts: Attempt[] = [];
  const externalIds = new Map<string, string>();
  let body: Readonly<Record<string, unknown>> = {};
  let steps: { readonly resource: unknown; readonly id: string; readonly input: unknown }[] = [];
  for (const { kind, details } of entries) {
    if (kind === "request") [body, steps] = [fieldsOf(details["body"]), []];
    if (kind === "step") steps.push({ resource: details["resource"], id: details["id"], input: details["input"] });
    if (kind !== "answer") continue;
    const { externalId } = body;
    if (typeof externalId === "string") for (const { id } of steps) externalIds.set(id, externalId);
    const idOf = (resource: string): string | undefined => steps.find((step) => step.resource === resource)?.id;
    const intent = idOf("payment_intent");
    const paid = (["subscription", "checkout", "payment_intent"] as const).find((resource) => idOf(resource));
    if (paid !== undefined && steps.some(({ input }) => PAYS.has(input))) {
      const id = idOf(paid) ?? "";
      const card = cardIn(body);
      const method = card === undefined ? testMethodOf(methodIn(body) ?? "") : methodOfCard(card);
      attempts.push({ kind: paid, id, externalId: externalIds.get(id), intent, method, card });
    }
    steps = [];
  }
  return attempts;
}

/**
 * Returns the attempt to pay that a failed assertion is about: the last one of the resource or order that it names, of the kind of resource
 * that has a status which it compares, or of all.
 */
export function attemptInQuestion(entries: readonly StoredEntry[], thrown: Thrown | undefined): Attempt | undefined {
  const attempts = attemptsIn(entries);
  const text = thrown?.text ?? "";
  const words = new Set(text.split(/[^\w-]+/));
  const named = attempts.filter(
    ({ id, externalId, intent }) => words.has(id) || words.has(intent ?? id) || words.has(externalId ?? id),
  );
  if (named.length > 0) return named.at(-1);
  const compared = [thrown?.actual, thrown?.expected].map(textIn);
  const kinds = compared
    .map((value) => attempts.filter(({ kind }) => statuses[kind].includes(value)))
    .find((matching) => matching.length > 0);
  return (kinds ?? attempts).at(-1);
}

/** Returns the latest state of each resource, by id. */
export function statesIn(entries: readonly StoredEntry[]): ReadonlyMap<string, unknown> {
  return new Map(
    entries
      .filter(({ kind }) => kind === "step" || kind === "timer")
      .map(({ details }) => [String(details["id"]), details["to"]]),
  );
}

/** The card whose number a call sends, as the journal shows it: `•••• 0002`. */
function cardIn(body: unknown): string | undefined {
  const { cardNumber } = fieldsOf(fieldsOf(body)["creditCardDetails"]);
  return typeof cardNumber === "string" ? cardNumber : undefined;
}

/** The journal has only the last digits of a number. Those of test cards differ. */
function methodOfCard(card: string): Attempt["method"] {
  const end = card.slice(-4);
  return testMethods.find(({ numbers }) => numbers.some((number) => number.endsWith(end)));
}

/** The payment method that a call names. */
export function methodIn(body: unknown): string | undefined {
  const fields = fieldsOf(body);
  return [fields["paymentMethodId"], fields["paymentMethod"], fields["method"]].find(
    (name) => typeof name === "string",
  );
}

export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
}

/** Returns the last resource that is in a state now. */
export function lastIn(
  entries: readonly StoredEntry[],
  states: ReadonlyMap<string, unknown>,
  state: string,
): { readonly id: string; readonly kind: Attempt["kind"] } | undefined {
  const [id] = [...states].findLast(([, now]) => now === state) ?? [];
  if (id === undefined) return undefined;
  const kind = entries.find(({ kind: entry, details }) => entry === "step" && details["id"] === id)?.details[
    "resource"
  ];
  return typeof kind === "string" && isKind(kind) ? { id, kind } : undefined;
}

function isKind(resource: string): resource is Attempt["kind"] {
  return Object.hasOwn(statuses, resource);
}

/** A runner may have written a text in quotes. */
export function textIn(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/^["']|["']$/g, "") : "";
}
