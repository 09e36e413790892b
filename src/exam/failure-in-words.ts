import type { Failure, OtherStory } from "./verdict.ts";

/** How many other ways to break a law are listed. */
const MOST_OTHERS = 3;

/** Lists the failures. Failures with the same story share it. */
export function failuresInLines(
  mark: string,
  failures: readonly Failure[],
  replayWith: (token: string) => string,
): readonly string[] {
  const groups = Map.groupBy(failures, ({ token }) => token);
  return [...groups.values()].flatMap((group) => groupInLines(mark, group as [Failure, ...Failure[]], replayWith));
}

function groupInLines(
  mark: string,
  [first, ...further]: readonly [Failure, ...Failure[]],
  replayWith: (token: string) => string,
): readonly string[] {
  return [
    "",
    `${mark} ${first.law}: ${first.sentence}`,
    ...first.story.map((each, index) => `  ${index + 1}. ${each}`),
    ...breakInLines(first),
    ...further.flatMap((also) => [`  The same story breaks ${also.law}: ${also.sentence}`, ...breakInLines(also)]),
    `  Replay it: ${replayWith(first.token)}`,
    "",
    ...first.timeline.split("\n").map((line) => `    ${line}`.trimEnd()),
  ];
}

function breakInLines(failure: Failure): readonly string[] {
  const { what, misunderstanding, others, count } = failure;
  return [
    `  → ${what}`,
    ...(misunderstanding === undefined ? [] : [`  Likely misunderstanding: ${misunderstanding}`]),
    `  Remedy: ${remedyInWords(failure)}`,
    ...othersInLines(others),
    ...(count === 1 ? [] : [`  ${count} stories broke this law.`]),
  ];
}

/** Returns how to keep the law, with its page if there is one. */
export function remedyInWords({ remedy, docs }: Pick<Failure, "remedy" | "docs">): string {
  return docs === undefined ? remedy : `${remedy} ${docs}`;
}

/** Lists other stories. Stories with the same end share a line. */
function othersInLines(others: readonly OtherStory[]): readonly string[] {
  const ends = [...Map.groupBy(others, ({ what }) => what).values()];
  return [
    ...ends.slice(0, MOST_OTHERS).map(([first, ...further]) => {
      const { story, what } = first as OtherStory;
      const more =
        further.length === 0
          ? ""
          : ` ${further.length} other ${further.length === 1 ? "story ends" : "stories end"} so.`;
      return `  Also: ${story.join(" ")} → ${what}${more}`;
    }),
    ...(ends.length > MOST_OTHERS ? [`  It ends in ${ends.length - MOST_OTHERS} further ways.`] : []),
  ];
}
