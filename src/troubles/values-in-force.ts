import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { codeStandingFor, errorTable } from "../service/error-table.ts";
import { firstRetryUnder } from "../service/webhook-policies.ts";
import type { PlannedFault } from "./trouble.ts";

/** The rows that change what troubles do, and how people read of them. */
export const rowsOfTroubles = [
  "http.error-status",
  "webhook.retries",
  "http.endpoints",
  "auth.paths",
  "subscription.session",
  "checkout.url",
] as const;

/** The values of these rows that a world does not take from the table. */
export type ValuesOfTroubles = Pick<AssumptionOverrides, (typeof rowsOfTroubles)[number]>;

/** Returns what a world has set of the rows that change troubles; undefined when it is nothing. */
export function valuesOfTroubles(overrides: AssumptionOverrides): ValuesOfTroubles | undefined {
  const set = rowsOfTroubles.filter((id) => overrides[id] !== undefined);
  return set.length === 0 ? undefined : (Object.fromEntries(set.map((id) => [id, overrides[id]])) as ValuesOfTroubles);
}

/** Returns the status that the service in force answers instead of one that its table has; others, which proxies answer, stay. */
export function statusInForce(status: number, { "http.error-status": statuses = {} }: ValuesOfTroubles): number {
  const code = codeStandingFor(status);
  return code === undefined ? status : (statuses[code as keyof typeof statuses] ?? errorTable[code].status);
}

/** Returns a fault that answers as the service in force does: the error of a status by its code, where statuses are changed. */
export function faultInForce(fault: PlannedFault, values: ValuesOfTroubles): PlannedFault {
  const { status, ...others } = fault;
  const code = fault.kind === "request.status" ? codeStandingFor(status as number) : undefined;
  return code === undefined || values["http.error-status"] === undefined ? fault : { ...others, code };
}

/** Returns when the service first sends an event again that was not answered; undefined when it never does. */
export function firstRetryIn(values: ValuesOfTroubles): string | undefined {
  return firstRetryUnder(values["webhook.retries"]);
}
