import { watchedExam } from "../exam/exam.ts";
import type { Budget, ExamOptions, Shard } from "../exam/options.ts";
import type { SearchWatch } from "../exam/search.ts";
import type { Team } from "../exam/team.ts";
import type { Verdict } from "../exam/verdict.ts";
import { loadExam } from "./exam-files.ts";

/** An exam file, and the options that the command line overrides. */
export interface Examination {
  readonly file: string;
  /** The folder against which the file is resolved. */
  readonly directory: string;
  readonly shard: Shard;
  readonly seconds?: number;
  readonly stories?: number;
  readonly failures?: number;
  readonly seed?: number | string;
  readonly replay?: string;
}

/**
 * Loads an exam file and searches in this thread.
 * @throws {CentavoError} whatever `loadExam`, `exam` and the file throw
 */
export async function searchIn(examination: Examination, watch: SearchWatch, team?: Team): Promise<Verdict> {
  const { file, directory, shard, seed, replay } = examination;
  const options = await loadExam(file, directory);
  const budget = budgetOf(examination, options);
  const changed: ExamOptions<unknown> = {
    ...options,
    ...(budget && { budget }),
    shard,
    ...(seed !== undefined && { seed }),
    ...(replay !== undefined && { replay }),
  };
  return watchedExam(changed, watch, team);
}

/** The command line decides when the search ends, so a number of stories there also overrides the seconds in the file. */
function budgetOf(
  { seconds, stories, failures }: Examination,
  { budget: own }: ExamOptions<unknown>,
): Budget | undefined {
  const { seconds: ownSeconds, stories: ownStories, failures: ownFailures } = own ?? {};
  const isReplaced = seconds !== undefined || stories !== undefined;
  const budget = isReplaced
    ? { seconds, stories, failures: failures ?? ownFailures }
    : { seconds: ownSeconds, stories: ownStories, failures: failures ?? ownFailures };
  return Object.fromEntries(Object.entries(budget).filter(([, value]) => value !== undefined));
}
