import type { Cause } from "../../merchant/process/merchant-process.ts";
import { A_JOB } from "./observations.ts";

type Why = Pick<Cause, "kind" | "act" | "id">;

/** Returns why a program gets a request, such as ` (payment_intent.succeeded)`; an empty text for a request of a customer. */
export function whyInWords({ kind }: Why, event: string): string {
  return kind === "event" ? ` (${event})` : kind === "job" ? A_JOB : "";
}

/** Returns which act of a customer it is, such as ` (the act order of order-1)`. */
export function actInWords({ act, id }: Why): string {
  if (id === undefined) return "";
  return act === undefined ? ` (${id})` : ` (the act ${act} of ${id})`;
}
