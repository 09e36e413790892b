import { saidIn } from "./clues.ts";
import type { Clues } from "./clues.ts";
import { quoted, timeOf } from "./wording.ts";

/** What is certain when no cause was found, what to look at, and what further. All are sentences without a full stop that begin in lower case. */
export interface NothingFound {
  readonly sentence: string;
  readonly lookAt?: string;
  readonly further?: string;
}

export function nothingFound(clues: Clues): NothingFound {
  const { thrown, entries, of, timers, now } = clues;
  // Every error of Centavo already names the mistake and the way out.
  if (thrown?.isOurs === true) return { sentence: "the test's own error says what is wrong" };
  const failed = lastFailure(clues);
  if (failed !== undefined)
    return {
      sentence: "not everything succeeded",
      lookAt: `${failed}. Your code has to expect that, or not to cause it`,
    };
  if (of("request").length === 0)
    return {
      sentence: "no call had reached the service when the test failed",
      lookAt: "what makes the calls. It may not have been awaited, or not have been called",
    };
  const last = of("delivery").at(-1);
  const delivered = last?.details.type;
  const answered = last === undefined ? "" : saidIn(last.volatile?.answer);
  const warning = of("warning").at(-1);
  const taken = delivered === undefined ? "" : ", and your app answered every webhook with 2xx";
  const moved = entries.findLast(({ kind }) => kind === "step" || kind === "timer")?.details;
  const next = timers.find(({ at }) => at > now);
  const facts = [
    thrown?.isAssertion === false && !thrown.isTimeout
      ? "the error itself, which is not an assertion"
      : "which statuses and types your app and the test compare",
    moved === undefined ? "" : `. The last status is ${quoted(`"${String(moved["to"])}" (${String(moved["id"])})`)}`,
    delivered === undefined ? "" : `, the last webhook ${quoted(delivered)}`,
    next === undefined ? "" : `. The next thing is due at ${timeOf(next.at)}`,
  ];
  const further = [
    answered === "" ? [] : [`your app's answer: ${quoted(answered)}`],
    delivered === undefined ? [] : ["what your handler catches, logs and ignores"],
    warning === undefined ? [] : [`the warning: ${quoted(warning.details.message ?? warning.volatile?.message ?? "")}`],
  ].flat();
  return {
    sentence: `every call succeeded${taken}`,
    lookAt: facts.join(""),
    ...(further.length === 0 ? {} : { further: further.join("; ") }),
  };
}

/** Describes the last thing that did not succeed: a call to the service, a webhook or a visit. */
function lastFailure({ exchanges, of }: Clues): string | undefined {
  const call = exchanges.findLast(({ answer }) => answer.status >= 400);
  const delivery = of("delivery").findLast(
    ({ details }) => !((details.status ?? 0) >= 200 && (details.status ?? 0) < 300),
  );
  const visit = of("visit").findLast(({ volatile }) => (volatile?.status ?? 500) >= 400);
  const back = of("customer").findLast(({ details }) => (details.status ?? 0) >= 400);
  const found = [
    back && {
      at: back.sequence,
      what: `the customer came back to ${back.details.to}, which answered ${back.details.status}`,
    },
    call && {
      at: call.sequence,
      what: `${call.request.method} ${call.request.path} was answered with ${call.answer.status} ${call.answer.code ?? ""}`,
    },
    delivery && {
      at: delivery.sequence,
      what: `the webhook ${delivery.details.type} was answered with ${delivery.details.status ?? `nothing (${delivery.details.failure})`}`,
    },
    visit && {
      at: visit.sequence,
      what: `${visit.volatile?.method} ${visit.volatile?.url} was answered with ${visit.volatile?.status ?? "nothing"}`,
    },
  ].filter((each) => each !== undefined);
  const last = found.toSorted((one, other) => one.at - other.at).at(-1);
  return last === undefined ? undefined : quoted(last.what);
}
