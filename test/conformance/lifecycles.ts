import type * as z from "zod/mini";
import type { DeclaredLifecycle } from "../../src/kit/declaration/resource.ts";
import { checkoutStatus } from "../../src/service/schemas/checkout.ts";
import { createdIntent, intentStatus } from "../../src/service/schemas/payment-intents.ts";
import { invoiceStatus, subscriptionStatus } from "../../src/service/schemas/subscriptions.ts";
import { documented } from "./resources.ts";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** Every machine of the service, as its resource declares it. */
export const declaredLifecycles: readonly DeclaredLifecycle[] = documented.flatMap((resource) => resource.lifecycles);

/** The status words and moves of one resource (part 3), with the moves that an assumption adds. */
export interface LifecycleRows {
  readonly part: string;
  readonly resource: string;
  /** The lifecycle's name in the list of resources. */
  readonly lifecycle: string;
  readonly statuses: readonly {
    readonly word: string;
    readonly schema: z.ZodMiniType;
    /** When an answer can show a status that a payment without trouble enters and leaves within one call. */
    readonly shownOnly?: string;
    readonly verdict: Verdict;
  }[];
  readonly moves: readonly { readonly from: string; readonly to: string; readonly verdict: Verdict }[];
}

const words = (schema: z.ZodMiniType, ...statuses: readonly string[]): LifecycleRows["statuses"] =>
  statuses.map((word) => ({ word, schema, verdict: "supported" }));
const move = (from: string, to: string, verdict: Verdict = "supported"): LifecycleRows["moves"][number] => ({
  from,
  to,
  verdict,
});

export const lifecycles: readonly LifecycleRows[] = [
  {
    part: "3.1",
    resource: "Payment intent",
    lifecycle: "payment_intent",
    statuses: [
      ...words(
        intentStatus,
        "requires_payment_method",
        "requires_action",
        "processing",
        "succeeded",
        "canceled",
        "failed",
      ),
      {
        word: "requires_confirmation",
        schema: intentStatus,
        shownOnly: "in answers only after an outage of the processor",
        verdict: assumed("intent.moves"),
      },
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
    lifecycle: "checkout",
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
    lifecycle: "subscription",
    statuses: words(
      subscriptionStatus,
      "incomplete",
      "incomplete_cancelled",
      "active",
      "past_due",
      "unpaid",
      "cancelled",
    ),
    moves: [
      move("incomplete", "incomplete_cancelled"),
      move("past_due", "unpaid"),
      move("incomplete", "active", assumed("subscription.first-failure", "subscription.late-first-payment")),
      move("active", "past_due", assumed("subscription.renewal", "subscription.events")),
      move("past_due", "active", assumed("subscription.recovery", "subscription.open-invoices")),
      move("unpaid", "active", assumed("subscription.recovery", "subscription.open-invoices")),
      move("incomplete", "cancelled", assumed("subscription.cancel")),
      move("active", "cancelled", assumed("subscription.cancel")),
      move("past_due", "cancelled", assumed("subscription.cancel")),
      move("unpaid", "cancelled", assumed("subscription.cancel")),
    ],
  },
  {
    part: "2.7",
    resource: "Invoice",
    lifecycle: "invoice",
    statuses: ["open", "paid", "void"].map((word) => ({
      word,
      schema: invoiceStatus,
      verdict: assumed("subscription.invoice"),
    })),
    moves: [
      move("open", "paid", assumed("subscription.invoice")),
      move("open", "void", assumed("subscription.cancel", "subscription.late-first-payment")),
    ],
  },
];
