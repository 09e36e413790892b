import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { counted } from "../shake/in-words.ts";
import { ownCallsIn } from "../shake/plan-of-test.ts";
import type { ShakeResult } from "../shake/shake.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";

/**
 * Refuses a shake that tried nothing: its green would prove nothing.
 * @param options.only the kinds of trouble that were asked for
 * @throws {CentavoError} `INVALID_OPTION` saying what is missing
 */
export function refuseNothingTried(
  { plain, judged, untried, left }: ShakeResult,
  { only, replay }: { readonly only?: readonly string[]; readonly replay?: string },
): void {
  if (judged.length + left > 0) return;
  const option = replay !== undefined ? " --replay" : only !== undefined ? " --only" : "";
  throw new CentavoError("INVALID_OPTION", `centavo shake${option}: ${whyNothing(plain, untried, { only, replay })}`);
}

function whyNothing(
  plain: readonly TestRecord[],
  untried: ShakeResult["untried"],
  { only, replay }: { readonly only: readonly string[] | undefined; readonly replay: string | undefined },
): string {
  if (untried.length > 0)
    return `nothing could be tried:\n${[...new Set(untried.map(({ why }) => `- ${why}`))].join("\n")}`;
  if (replay !== undefined)
    return "no test that passes in this suite has the trouble of this token. Run the command in the folder in which the token was found, with a suite that includes its test; if the test was renamed or changed, shake it again.";
  if (only !== undefined) return `no test of this suite passes a point where ${only.join(" or ")} can strike.`;
  return `nothing was tried, because no test makes a call or receives an event through a shop of its own. ${passedBy(plain.filter(({ outcome }) => outcome.is === "passed"))}`;
}

/** Says what tests pass that cannot be struck. */
function passedBy(tests: readonly TestRecord[]): string {
  const calls = ownCallsIn(tests).length;
  const unheard = tests.flatMap((test) => test.events.filter(({ attempts }) => attempts.length === 0)).length;
  const parts = [
    ...(calls > 0 ? [`${counted(calls, "call")} that they make themselves`] : []),
    ...(unheard > 0 ? [`${counted(unheard, "event")} that no shop receives`] : []),
  ];
  return parts.length === 0 ? "The tests pass nothing that can go wrong." : `The tests pass ${parts.join(" and ")}.`;
}
