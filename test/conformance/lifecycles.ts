import type { AnyStateMachine } from "xstate";
import type { z } from "zod";
import { checkoutMachine } from "../../src/checkout/machine.ts";
import { checkoutStatus } from "../../src/checkout/schema.ts";
import { paymentIntentMachine } from "../../src/payment-intents/machine.ts";
import { createdIntent, intentStatus } from "../../src/payment-intents/schema.ts";
import { assumed, notBuilt } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** The status words and moves of one resource (part 3), with the moves that an assumption adds. */
export interface LifecycleRows {
  readonly part: string;
  readonly resource: string;
  /** Absent while the resource is not built. */
  readonly machine?: AnyStateMachine;
  readonly statuses: readonly { readonly word: string; readonly schema?: z.ZodType; readonly verdict: Verdict }[];
  readonly moves: readonly { readonly from: string; readonly to: string; readonly verdict: Verdict }[];
}

const words = (schema: z.ZodType, ...statuses: readonly string[]): LifecycleRows["statuses"] =>
  statuses.map((word) => ({ word, schema, verdict: "supported" }));
const move = (from: string, to: string, verdict: Verdict = "supported"): LifecycleRows["moves"][number] => ({
  from,
  to,
  verdict,
});
const missing = notBuilt("subscriptions");

export const lifecycles: readonly LifecycleRows[] = [
  {
    part: "3.1",
    resource: "Payment intent",
    machine: paymentIntentMachine,
    statuses: [
      ...words(
        intentStatus,
        "requires_payment_method",
        "requires_confirmation",
        "requires_action",
        "processing",
        "succeeded",
        "canceled",
        "failed",
      ),
      { word: "pending", schema: createdIntent.shape.status, verdict: assumed("intent.pending") },
    ],
    moves: [
      move("requires_payment_method", "requires_confirmation"),
      move("requires_confirmation", "processing"),
      move("requires_confirmation", "requires_action"),
      move("requires_action", "processing"),
      move("processing", "succeeded"),
      move("processing", "failed"),
      move("requires_payment_method", "canceled", assumed("intent.cancel")),
      move("requires_confirmation", "canceled", assumed("intent.cancel")),
      move("requires_action", "canceled", assumed("intent.cancel")),
    ],
  },
  {
    part: "3.2",
    resource: "Checkout",
    machine: checkoutMachine,
    statuses: words(checkoutStatus, "pending", "processing", "completed", "failed", "cancelled", "expired"),
    moves: [
      move("pending", "processing", assumed("checkout.moves")),
      move("pending", "cancelled", assumed("checkout.moves")),
      move("pending", "expired", assumed("checkout.moves", "checkout.lifetime")),
      move("processing", "completed", assumed("checkout.moves")),
      move("processing", "failed", assumed("checkout.moves")),
      move("processing", "pending", assumed("checkout.retry")),
      move("processing", "expired", assumed("checkout.moves", "checkout.lifetime")),
    ],
  },
  {
    part: "3.3",
    resource: "Subscription",
    statuses: ["incomplete", "incomplete_cancelled", "active", "past_due", "unpaid", "cancelled"].map((word) => ({
      word,
      verdict: missing,
    })),
    moves: [move("incomplete", "incomplete_cancelled", missing), move("past_due", "unpaid", missing)],
  },
];
