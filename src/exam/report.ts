import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { readPart } from "../kit/base/errors/english.ts";
import { inWords, shortened } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { mergeVerdicts } from "./merge-verdicts.ts";
import type { Shard } from "./options.ts";
import type { Pace } from "./pace.ts";
import { paymentService } from "../service/service.ts";
import { isToken } from "./token.ts";
import type { Verdict, VerdictFacts } from "./verdict.ts";

/** How many missing shards a message names. */
const MOST_LISTED = 20;

const natural = z.int().check(z.nonnegative());
const notNegative = z.number().check(z.nonnegative());
const counts = z.record(z.string(), natural);
const names = z.record(z.string(), z.array(z.string()));
const other = z.object({
  story: z.array(z.string()),
  what: z.string(),
  token: z.string().check(z.refine(isToken, "it takes the token of a story")),
  digest: z.string(),
  timeline: z.string(),
  number: natural,
});
const failure = z.extend(other, {
  law: z.string(),
  sentence: z.string(),
  misunderstanding: z.exactOptional(z.string()),
  remedy: z.string(),
  docs: z.exactOptional(z.string()),
  others: z.array(other),
  count: natural,
});
const verdict = z.object({
  failures: z.array(failure),
  warnings: z.array(failure),
  stories: natural,
  seed: z.union([z.number(), z.string()]),
  unjudged: z.record(z.string(), z.string()),
  leftOut: z.record(z.string(), z.string()),
  off: z.array(z.string()),
  missingActs: z.array(z.string()),
  coverage: z.object({
    flows: counts,
    flowsNotPlayed: z.array(z.string()),
    troubles: z.record(z.string(), counts),
    neverStruck: names,
    notTried: names,
    moves: counts,
    events: counts,
    eventsWithoutAddress: natural,
    errors: counts,
  }),
  digest: z.string().check(z.regex(/^[0-9a-f]{64}$/, "it takes 64 hexadecimal digits")),
});
const examined = z.object({
  file: z.string(),
  shard: z
    .object({ index: z.int().check(z.minimum(1)), of: z.int().check(z.minimum(1)) })
    .check(z.refine(({ index, of }) => index <= of, "its index is beyond the number of shards")),
  pace: z.object({ storiesPerSecond: notNegative, seconds: notNegative, merchantShare: notNegative }),
  verdict,
});
const written = z.object({ centavo: z.string(), exams: z.array(examined) });

/** The verdict of an exam, or of one shard of it. */
export interface Examined {
  readonly file: string;
  readonly shard: Shard;
  /** How fast the search was. It stands beside the verdict, because verdicts of the same stories are equal. */
  readonly pace: Pace;
  readonly verdict: VerdictFacts;
}

/** What `centavo exam --report` writes. */
export interface Report {
  /** The version that wrote it. */
  readonly centavo: string;
  readonly exams: readonly Examined[];
}

/** A report, and the file that it is from. */
export interface NamedReport {
  readonly name: string;
  readonly report: Report;
}

/** The verdict of a whole exam. */
export interface Merged {
  readonly file: string;
  readonly verdict: Verdict;
  /** Says which shards are missing; undefined when none is. */
  readonly missing: string | undefined;
}

/**
 * Reads a report.
 * @param name the file that it is from
 * @param version the version of this Centavo
 * @throws {CentavoError} `INVALID_OPTION` when the text is not a report, or when another version wrote it
 */
export function readReport(text: string, name: string, version: string): NamedReport {
  const content = parsed(text, name);
  const by = z.object({ centavo: z.string() }).safeParse(content);
  if (by.success && by.data.centavo !== version) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${name} was written by Centavo ${shortened(by.data.centavo)}, and this is Centavo ${version}. Search and merge with the same version.`,
    );
  }
  const { data, complaint } = readPart(written, content, paymentService.redaction);
  if (complaint !== undefined) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${name} is not a report of centavo exam: ${complaint}. Pass files that centavo exam --report wrote, unchanged.`,
    );
  }
  return { name, report: data };
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${name} is not a report of centavo exam, or was cut short: ${messageOf(error)}. Pass files that centavo exam --report wrote.`,
      { cause: error },
    );
  }
}

/**
 * Joins the reports of shards, exam by exam.
 * @param isPartial whether shards may be missing
 * @throws {CentavoError} `INVALID_OPTION` when the reports are of different exams, or when a shard is missing or was given twice
 */
export function mergeReports(reports: readonly NamedReport[], isPartial: boolean): readonly Merged[] {
  const all = reports.flatMap(({ name, report }) => report.exams.map((exam) => ({ ...exam, name })));
  return [...Map.groupBy(all, ({ file }) => file)].map(([file, parts]) => {
    const [first] = parts as [(typeof parts)[number]];
    const known = new Map<number, string>();
    for (const { name, shard, verdict: part } of parts) {
      refuseDifference(file, "the seed", [first.name, first.verdict.seed], [name, part.seed]);
      refuseDifference(file, "the number of shards", [first.name, first.shard.of], [name, shard.of]);
      const twin = known.get(shard.index);
      if (twin !== undefined) {
        throw new CentavoError(
          "INVALID_OPTION",
          `${twin} and ${name} are both reports of shard ${shard.index}/${shard.of} of ${file}. Pass only one of them.`,
        );
      }
      known.set(shard.index, name);
    }
    const { of } = first.shard;
    const missing = missingOf(of, known);
    if (missing !== undefined && !isPartial) {
      throw new CentavoError(
        "INVALID_OPTION",
        `${file} was searched in ${of} shards, of which ${missing} missing. Pass their reports as well, or merge without them with --partial.`,
      );
    }
    const inOrder = parts.toSorted((one, two) => one.shard.index - two.shard.index);
    const verdicts = inOrder.map((part) => part.verdict);
    return {
      file,
      verdict: mergeVerdicts(
        verdicts as [VerdictFacts],
        inOrder.map(({ pace }) => pace),
      ),
      missing: missing === undefined ? undefined : `of its ${of} shards, ${missing} missing`,
    };
  });
}

function refuseDifference(
  file: string,
  what: string,
  [firstName, first]: readonly [string, unknown],
  [name, value]: readonly [string, unknown],
): void {
  if (value === first) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `The reports of ${file} do not belong together: ${what} is ${inWords(first)} in ${firstName} and ${inWords(value)} in ${name}.`,
  );
}

/** Says which shards are missing, a few of them by number. */
function missingOf(of: number, known: ReadonlyMap<number, unknown>): string | undefined {
  const count = of - known.size;
  if (count === 0) return undefined;
  const first: number[] = [];
  for (let index = 1; first.length < Math.min(count, MOST_LISTED); index += 1) if (!known.has(index)) first.push(index);
  const more = count - first.length;
  return `${first.join(", ")}${more === 0 ? "" : ` and ${more} more`} ${count === 1 ? "is" : "are"}`;
}
