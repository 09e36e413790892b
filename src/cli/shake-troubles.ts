import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import type { ReportedFinding, ReportedShake } from "../report/reported-shake.ts";
import { blindSpotsInLines, findingsInLines, summaryInLines } from "../shake/in-words.ts";
import { reportedShake } from "../shake/reported-shake.ts";
import { shake } from "../shake/shake.ts";
import type { ShakeOptions } from "../shake/shake.ts";
import { troubleOfToken } from "../shake/token.ts";
import { kindOf, troublesOfShake } from "../shake/troubles-of-shake.ts";
import { variedIds } from "../shake/variations.ts";
import { kindsOfTrouble } from "../troubles/in-shake.ts";
import { refuseNothingTried } from "./nothing-tried.ts";
import type { ShakeCommandOptions } from "./shake.ts";
import type { WayToShake } from "./way-to-shake.ts";

/**
 * Shakes a suite with troubles.
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function shakeWithTroubles(options: ShakeCommandOptions): WayToShake {
  if (options.failOn === "reliances")
    throw new CentavoError(
      "INVALID_OPTION",
      "centavo shake --fail-on reliances: only --vary finds them. Give it, too.",
    );
  const isWanted = wantedBy(options);
  return async (turns, page) => {
    const result = await shake({
      ...turns,
      isWanted,
      blindSpots: asksForBlindSpots(options),
      ...(page === undefined ? {} : { onTried: page.forgetBorneRuns }),
    });
    if (result === undefined) return undefined;
    refuseNothingTried(result, options);
    return (telling) => {
      const told = reportedShake(result, telling);
      return {
        told,
        lines: [...findingsInLines(told), ...blindSpotsInLines(told), ...summaryInLines(told)],
        isFailed: isFailed(told, options),
        page: page && (() => page.pageOfShake(told, result.judged)),
      };
    };
  };
}

function isFailed({ findings, blindSpots }: ReportedShake, { failOn = "tests" }: ShakeCommandOptions): boolean {
  const isBlind = failOn === "blind-spots" && blindSpots?.open.some(({ isAccepted }) => !isAccepted) === true;
  return isBlind || findings.some((finding) => !finding.isAccepted && counts(finding, failOn));
}

function counts({ kind }: ReportedFinding, failOn: ShakeCommandOptions["failOn"]): boolean {
  return failOn === "tests" || failOn === "blind-spots" || (failOn === "money" && kind === "money");
}

function isOfBlindSpots(name: string): boolean {
  return troublesOfShake.some((trouble) => trouble.name === name && "blindSpot" in trouble.inShake);
}

/** Whether the service also has to say something else than it knows. */
function asksForBlindSpots({ blindSpots = false, failOn, only = [], replay }: ShakeCommandOptions): boolean {
  if (replay !== undefined) return isOfBlindSpots(troubleOfToken(replay).trouble);
  return blindSpots || failOn === "blind-spots" || only.includes("blind-spots");
}

/** @throws {CentavoError} `INVALID_OPTION` */
function wantedBy({ only, replay, ...options }: ShakeCommandOptions): NonNullable<ShakeOptions["isWanted"]> {
  for (const kind of only ?? []) {
    const complaint = unknownName("centavo shake --only", kind, kindsOfTrouble);
    if (complaint === undefined) continue;
    const wayOut = variedIds.includes(kind) ? " Ids of assumptions need --vary." : "";
    throw new CentavoError("INVALID_OPTION", `${complaint}.${wayOut}`);
  }
  const seeksBlindSpots = asksForBlindSpots({ ...options, ...(only === undefined ? {} : { only }) });
  const named = replay === undefined ? undefined : troubleOfToken(replay);
  return ({ trouble, point }, { test }) => {
    if (named !== undefined)
      return (
        test.key === named.test &&
        trouble.name === named.trouble &&
        point.kind === named.kind &&
        point.subject === named.subject &&
        point.occurrence === named.occurrence
      );
    const isBlindSpot = "blindSpot" in trouble.inShake && trouble.inShake.blindSpot?.(point) !== undefined;
    return only === undefined || only.includes(kindOf(trouble)) || (seeksBlindSpots && isBlindSpot);
  };
}
