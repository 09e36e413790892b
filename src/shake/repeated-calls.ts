import type { PassedCall, TestRecord } from "../testing/shake/test-record.ts";

/** Returns what a test shows that the merchant repeats, as `nameOfRepeat` names it. */
export function repeatsOf({ calls }: TestRecord): readonly string[] {
  const later = new Set<string>();
  return calls
    .toReversed()
    .flatMap((call) => {
      const { route, path, by, acts } = call;
      // After the next thing that the test asks for, it may be the customer who tries again.
      const name = JSON.stringify([by, route, path, acts]);
      const isRepeated = later.has(name);
      later.add(name);
      const failure = failureOf(call);
      return isRepeated && failure !== undefined && by !== "test" ? [nameOfRepeat(failure, call)] : [];
    })
    .toReversed();
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

/** Returns the calls that the merchant had made before, and that failed then. */
export function repetitionsIn({ calls }: TestRecord): ReadonlySet<PassedCall> {
  const failed = new Set<string>();
  return new Set(
    calls.filter((call) => {
      const name = JSON.stringify([call.route, call.path]);
      const isAgain = failed.has(name);
      if (isFailing(call)) failed.add(name);
      return isAgain;
    }),
  );
}
