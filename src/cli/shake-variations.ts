import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { DOCS } from "../kit/base/errors/docs.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { nearest } from "../kit/base/errors/nearest.ts";
import type { ReportedVariations } from "../report/reported-variations.ts";
import { reportedVariations } from "../shake/reported-variations.ts";
import { troubleOfToken, variationOfToken } from "../shake/token.ts";
import { reliancesInLines, variationsSummaryInLines } from "../shake/variations-in-words.ts";
import { rowOf, variedIds } from "../shake/variations.ts";
import { kindsOfTrouble } from "../troubles/in-shake.ts";
import { vary } from "../shake/vary.ts";
import type { VaryOptions, VaryResult } from "../shake/vary.ts";
import type { ShakeCommandOptions } from "./shake.ts";
import type { WayToShake } from "./way-to-shake.ts";

/**
 * Shakes a suite under other answers to the open questions that it rests on.
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function shakeUnderOtherAnswers(options: ShakeCommandOptions): WayToShake {
  refuseOfTroubles(options);
  const isWanted = wantedBy(options);
  return async (turns, page) => {
    const result = await vary({
      ...turns,
      isWanted,
      ...(page === undefined ? {} : { onTried: page.forgetRunsThatHeld }),
    });
    if (result === undefined) return undefined;
    refuseNothingVaried(result, options);
    return (telling) => {
      const told = reportedVariations(result, telling);
      return {
        told,
        lines: [...reliancesInLines(told), ...variationsSummaryInLines(told)],
        isFailed: isFailed(told, options),
        page: page && (() => page.pageOfVariations(told, result.judged)),
      };
    };
  };
}

/** What tests rely on is no mistake, so it fails nothing unless it is asked for, or is new. */
function isFailed({ reliances }: ReportedVariations, { failOn, baseline }: ShakeCommandOptions): boolean {
  const fails = failOn === undefined ? baseline !== undefined : failOn === "reliances";
  return fails && reliances.some(({ isAccepted }) => !isAccepted);
}

/** @throws {CentavoError} `INVALID_OPTION` for an option that only troubles have */
function refuseOfTroubles({ blindSpots, failOn }: ShakeCommandOptions): void {
  const option =
    blindSpots === true
      ? "--blind-spots"
      : failOn === undefined || failOn === "reliances" || failOn === "never"
        ? undefined
        : `--fail-on ${failOn}`;
  if (option === undefined) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `centavo shake --vary ${option}: nothing goes wrong while answers are varied, so leave out one of the two. With --vary, --fail-on takes reliances or never.`,
  );
}

/** @throws {CentavoError} `INVALID_OPTION` */
function wantedBy({ only, replay }: ShakeCommandOptions): NonNullable<VaryOptions["isWanted"]> {
  for (const id of only ?? []) {
    if (rowOf(id)?.values === "fixed")
      throw new CentavoError(
        "INVALID_OPTION",
        `centavo shake --vary --only: the assumption "${id}" is fixed, so it has no other value. Leave it out.`,
      );
    if (variedIds.includes(id)) continue;
    const near = nearest(id, variedIds);
    if (kindsOfTrouble.some((kind) => kind === id))
      throw new CentavoError(
        "INVALID_OPTION",
        `centavo shake --vary --only: ${inWords(id)} is a kind of trouble, and kinds of trouble go without --vary. Leave out one of the two.`,
      );
    const wayOut =
      near === undefined ? `${DOCS}/reference/assumptions.md lists all of them` : `The nearest is "${near}"`;
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake --vary --only: no assumption has the id ${inWords(id)}. ${wayOut}.`,
    );
  }
  const named = variationOfToken(replay ?? "");
  if (named === undefined && replay !== undefined) {
    troubleOfToken(replay);
    throw new CentavoError(
      "INVALID_OPTION",
      "centavo shake --vary --replay: the token is that of a trouble, and troubles go without --vary. Leave out --vary.",
    );
  }
  return ({ id, name }, { test }) =>
    named === undefined
      ? only === undefined || only.includes(id)
      : test.key === named.test && id === named.id && name === named.name;
}

/**
 * Refuses a run that varied nothing, unless the suite has decided all that was asked for: its green would prove nothing.
 * @throws {CentavoError} `INVALID_OPTION`
 */
function refuseNothingVaried({ plain, judged, left }: VaryResult, { only, replay }: ShakeCommandOptions): void {
  if (judged.length + left > 0) return;
  const decided = plain.flatMap(({ assumptions }) => assumptions?.decided ?? []);
  const asked = replay === undefined ? only : [variationOfToken(replay)?.id];
  if (decided.some((id) => asked === undefined || asked.includes(id))) return;
  throw new CentavoError(
    "INVALID_OPTION",
    replay !== undefined
      ? "centavo shake --replay: no test that passes in this suite rests on the answer of this token. Run the command in the folder in which the token was found, with a suite that includes its test; if the test was renamed or changed, vary it again."
      : `centavo shake --vary: no test of this suite rests on ${only === undefined ? "an answer that can be varied" : only.join(" or ")}.`,
  );
}
