import type { PassedCall, TestRecord } from "../testing/shake/test-record.ts";

/** Returns what a test shows that the merchant repeats, as `nameOfRepeat` names it. */
export function repeatsOf({ calls }: TestRecord): readonly string[] {
  return calls.flatMap((call, index) => {
    const failure = failureOf(call);
    if (failure === undefined || call.by === "test") return [];
    // After the next thing that the test asks for, it may be the customer who tries again.
    const isRepeated = calls
      .slice(index + 1)
      .some(
        ({ route, path, by, acts }) =>
          by === call.by && route === call.route && path === call.path && acts === call.acts,
      );
    return isRepeated ? [nameOfRepeat(failure, call)] : [];
  });
}

/** Names a call that is repeated, such as `request.status 503 at payment-intent.confirm by handler`. A page may repeat nothing that a handler repeats. */
export function nameOfRepeat(trouble: string, { route, by }: Pick<PassedCall, "route" | "by">): string {
  return `${trouble} at ${route} by ${by}`;
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
