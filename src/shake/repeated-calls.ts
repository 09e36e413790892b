import type { PassedCall, TestRecord } from "../testing/shake/test-record.ts";

/** Returns what a test shows that the merchant repeats, such as `request.status 503 at payment-intent.confirm`. */
export function repeatsOf({ calls }: TestRecord): readonly string[] {
  return calls.flatMap((call, index) => {
    const failure = failureOf(call);
    const again = calls
      .slice(index + 1)
      .some(({ route, path, by }) => by !== "test" && route === call.route && path === call.path);
    return failure !== undefined && call.by !== "test" && again ? [`${failure} at ${call.route}`] : [];
  });
}

/** Names the trouble that a call had, as the troubles are named. */
function failureOf({ struckBy, status }: PassedCall): string | undefined {
  if (struckBy === "request.reset" || struckBy === "request.refused") return struckBy;
  return status === 401 || status === 429 || status === 503 ? `request.status ${status}` : undefined;
}

/** Whether the service did not serve a call, or its answer was lost. */
export function isFailing({ struckBy, status }: PassedCall): boolean {
  return struckBy !== undefined || status === undefined || status >= 500 || status === 401 || status === 429;
}

/** Whether the merchant made the same call before, and it failed. */
export function isRepetition(call: PassedCall, { calls }: TestRecord): boolean {
  return calls
    .slice(0, calls.indexOf(call))
    .some((earlier) => earlier.route === call.route && earlier.path === call.path && isFailing(earlier));
}
