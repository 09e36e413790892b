import type { Reordering } from "../../kit/declaration/define-service.ts";
import type { Fact } from "../../kit/engine/facts.ts";
import type { Assumptions } from "../assumption-table.ts";
import type { IntentRow } from "../payment-intents/machine.ts";
import { intentEventTypes } from "../schemas/payment-intents.ts";
import { subscriptionEventTypes } from "../schemas/subscriptions.ts";

/** The events of subscriptions by what they are about, in the order in which the facts happen. */
const PARTS = ["intent", "invoice", "subscription"] as const;

type Part = (typeof PARTS)[number];

const announced: ReadonlySet<string> = new Set([...intentEventTypes, ...subscriptionEventTypes]);

/** Tells merchants of each payment of a subscription in the order of `subscription.events`. */
export function eventOrder(assumptions: Assumptions): Reordering {
  const order = (): readonly Part[] => assumptions.value("subscription.events");
  return {
    holds: (fact) => partOf(fact) !== undefined && order().join() !== PARTS.join(),
    inOrder: (held) =>
      paymentsIn(held).flatMap((payment) => order().flatMap((part) => payment.filter((fact) => partOf(fact) === part))),
  };
}

/** Returns what an announced fact of a subscription is about. */
function partOf({ type, resource, row }: Fact): Part | undefined {
  if (!announced.has(type)) return undefined;
  if (resource === "payment_intent") return (row as IntentRow).data.purpose === "subscription" ? "intent" : undefined;
  return resource === "invoice" || resource === "subscription" ? resource : undefined;
}

/** Splits facts where a payment moves: its invoice and its subscription follow it. */
function paymentsIn(facts: readonly Fact[]): readonly (readonly Fact[])[] {
  const payments: Fact[][] = [];
  for (const fact of facts) {
    const latest = payments.at(-1);
    if (latest === undefined || partOf(fact) === "intent") payments.push([fact]);
    else latest.push(fact);
  }
  return payments;
}
