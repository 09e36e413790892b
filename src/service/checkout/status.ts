import type { CheckoutStatus } from "../schemas/checkout.ts";
import type { CheckoutState } from "./machine.ts";

/** The wire word of every state. */
export const statusOf: Readonly<Record<CheckoutState, CheckoutStatus>> = Object.freeze({
  pending: "pending",
  processing: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
});
