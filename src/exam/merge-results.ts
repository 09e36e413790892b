import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { mergeVerdicts } from "./merge-verdicts.ts";
import type { Examined, NamedResults, NotExamined } from "./exam-results.ts";
import type { Verdict, VerdictFacts } from "./verdict.ts";

/** How many missing shards a message lists. */
const MOST_LISTED = 20;

/** The result of a whole exam. */
export interface Merged {
  readonly file: string;
  /** Undefined when no shard has a verdict. */
  readonly verdict: Verdict | undefined;
  /** Which shards could not be examined, and why, each in one sentence. */
  readonly notExamined: readonly Pick<NotExamined, "why" | "interrupted">[];
}

/** A part of an exam, and the file that it came from. */
interface Part<Content = Examined | NotExamined> {
  readonly name: string;
  readonly part: Content;
}

/**
 * Merges the results of shards, exam by exam.
 * @param isPartial whether shards may be missing
 * @throws {CentavoError} `INVALID_OPTION` when there is no exam, when the results are of different exams, or when a
 * shard is missing or was given twice
 */
export function mergeResults(all: readonly NamedResults[], isPartial: boolean): readonly Merged[] {
  const parts = all.flatMap(({ name, results }): readonly Part[] =>
    [...results.exams, ...results.notExamined].map((part) => ({ name, part })),
  );
  if (parts.length === 0)
    throw new CentavoError(
      "INVALID_OPTION",
      `There is no exam in ${all.map(({ name }) => name).join(", ")}. Pass files that centavo exam --report wrote.`,
    );
  return [...Map.groupBy(parts, ({ part }) => part.file)].map(([file, own]) => mergeExam(file, own, isPartial));
}

function mergeExam(file: string, parts: readonly Part[], isPartial: boolean): Merged {
  const missing = missingShards(file, parts);
  if (missing !== undefined && !isPartial)
    throw new CentavoError(
      "INVALID_OPTION",
      `Of ${file}, ${missing} missing. Pass their reports as well, or merge without them with --partial.`,
    );
  const judged = parts
    .filter((each): each is Part<Examined> => "verdict" in each.part)
    .toSorted((one, two) => one.part.shard.index - two.part.shard.index);
  refuseDifferentExams(file, judged);
  const verdict =
    judged.length === 0
      ? undefined
      : mergeVerdicts(
          judged.map(({ part }) => part.verdict) as [VerdictFacts],
          judged.map(({ part }) => part.pace),
        );
  const ends = [
    ...(missing === undefined ? [] : [`${missing.replace(/^s/, "S")} missing.`]),
    ...(verdict?.stories === 0 ? ["No story was played."] : []),
  ];
  return {
    file,
    verdict: verdict?.with({ endedEarly: [...verdict.endedEarly, ...ends] }),
    notExamined: parts.flatMap((each) => whyNotExamined(each) ?? []),
  };
}

function whyNotExamined({ name, part }: Part): Merged["notExamined"][number] | undefined {
  if (!("why" in part)) return undefined;
  const { file, shard, why, interrupted = false } = part;
  const which = shard.of === 1 ? "" : `shard ${shard.index}/${shard.of} of `;
  return { why: `In ${name}, ${which}${file} could not be examined: ${why}`, interrupted };
}

/** Refuses to merge verdicts of different exams, such as when only one of them judged by a law. */
function refuseDifferentExams(file: string, [first, ...others]: readonly Part<Examined>[]): void {
  if (first === undefined) return;
  for (const other of others)
    for (const [what, factOf] of Object.entries(FACTS))
      refuseDifference(file, what, [first.name, factOf(first.part.verdict)], [other.name, factOf(other.part.verdict)]);
}

const FACTS: Readonly<Record<string, (verdict: VerdictFacts) => unknown>> = {
  "the seed": ({ seed }) => seed,
  "the list of laws that are switched off": ({ off }) => off.toSorted(),
  "the list of laws that only warn": ({ onlyWarn }) => onlyWarn.toSorted(),
  "the list of acts that are not given": ({ missingActs }) => missingActs.toSorted(),
};

function refuseDifference(
  file: string,
  what: string,
  [firstName, first]: readonly [string, unknown],
  [name, value]: readonly [string, unknown],
): void {
  if (JSON.stringify(value) === JSON.stringify(first)) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `The reports of ${file} do not belong together: ${what} is ${inWords(first)} in ${firstName} and ${inWords(value)} in ${name}.`,
  );
}

/**
 * Says which shards are missing, and names a few of them; undefined when all are present.
 * @throws {CentavoError} `INVALID_OPTION` for a shard that was given twice, and for different numbers of shards
 */
function missingShards(file: string, parts: readonly Part[]): string | undefined {
  const known = new Map<number, string>();
  const [first] = parts as [Part];
  const { of } = first.part.shard;
  for (const { name, part } of parts) {
    const { shard } = part;
    refuseDifference(file, "the number of shards", [first.name, of], [name, shard.of]);
    const twin = known.get(shard.index);
    if (twin !== undefined)
      throw new CentavoError(
        "INVALID_OPTION",
        `${twin} and ${name} are both reports of shard ${shard.index}/${shard.of} of ${file}. Pass only one of them.`,
      );
    known.set(shard.index, name);
  }
  const count = of - known.size;
  if (count === 0) return undefined;
  const listed: number[] = [];
  for (let index = 1; listed.length < Math.min(count, MOST_LISTED); index += 1)
    if (!known.has(index)) listed.push(index);
  const more = count - listed.length;
  return `${count === 1 ? "shard" : "shards"} ${listed.join(", ")}${more === 0 ? "" : ` and ${more} more`} of ${of} ${count === 1 ? "is" : "are"}`;
}
