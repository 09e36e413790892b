import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { readPart } from "../kit/base/errors/english.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Shard } from "./options.ts";
import type { Pace } from "./pace.ts";
import { paymentService } from "../service/service.ts";
import { isToken } from "./token.ts";
import type { VerdictFacts } from "./verdict.ts";

const natural = z.int().check(z.nonnegative());
const notNegative = z.number().check(z.nonnegative());
const counts = z.record(z.string(), natural);
const names = z.record(z.string(), z.array(z.string()));
const other = z.object({
  story: z.array(z.string()),
  what: z.string(),
  misunderstanding: z.exactOptional(z.string()),
  remedy: z.string(),
  token: z.string().check(z.refine(isToken, "it takes the token of a story")),
  digest: z.string(),
  timeline: z.string(),
  number: natural,
});
const failure = z.extend(other, {
  law: z.string(),
  sentence: z.string(),
  docs: z.exactOptional(z.string()),
  others: z.array(other),
  count: natural,
});
const verdict = z.object({
  failures: z.array(failure),
  warnings: z.array(failure),
  stories: natural,
  left: z.object({ flows: natural, stories: natural }),
  endedEarly: z.array(z.string()),
  seed: z.union([z.number(), z.string()]),
  unjudged: z.record(z.string(), z.string()),
  leftOut: z.record(z.string(), z.string()),
  neverReached: z.array(z.string()),
  off: z.array(z.string()),
  onlyWarn: z.array(z.string()),
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
const shard = z
  .object({ index: z.int().check(z.minimum(1)), of: z.int().check(z.minimum(1)) })
  .check(z.refine(({ index, of }) => index <= of, "its index is beyond the number of shards"));
const examined = z.object({
  file: z.string(),
  shard,
  pace: z.object({ storiesPerSecond: notNegative, seconds: notNegative, merchantShare: notNegative }),
  verdict,
});
const written = z.object({
  centavo: z.string(),
  exams: z.array(examined),
  notExamined: z.array(
    z.object({ file: z.string(), shard, why: z.string(), interrupted: z.exactOptional(z.boolean()) }),
  ),
});

/** The verdict of an exam, or of one of its shards. */
export interface Examined {
  readonly file: string;
  readonly shard: Shard;
  /** How fast the search was. It is not part of the verdict, because verdicts on the same stories must be equal. */
  readonly pace: Pace;
  readonly verdict: VerdictFacts;
}

/** An exam, or a shard, that produced no verdict. */
export interface NotExamined {
  readonly file: string;
  readonly shard: Shard;
  readonly why: string;
  /** Whether an interrupt of the command is the reason; false by default. */
  readonly interrupted?: boolean;
}

/** What `centavo exam --report` writes. */
export interface ExamResults {
  /** The version of Centavo that wrote it. */
  readonly centavo: string;
  readonly exams: readonly Examined[];
  readonly notExamined: readonly NotExamined[];
}

/** The results in one file. */
export interface NamedResults {
  readonly name: string;
  readonly results: ExamResults;
}

/**
 * Reads what `centavo exam --report` wrote.
 * @param name the file's name, for messages
 * @param version the version of this Centavo
 * @throws {CentavoError} `INVALID_OPTION` when the text is not a report, or when another version wrote it
 */
export function readResults(text: string, name: string, version: string): NamedResults {
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
  return { name, results: data };
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
