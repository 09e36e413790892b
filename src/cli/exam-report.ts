import { watchedExam } from "../exam/exam.ts";
import { remedyInWords } from "../exam/failure-in-words.ts";
import { moneyOf } from "../exam/money.ts";
import type { Failure } from "../exam/verdict.ts";
import { gatherRun } from "../report/gather-run.ts";
import { nothingHappened } from "../report/reported-run.ts";
import type { Aside, ReportedMoney, ReportedRun } from "../report/reported-run.ts";
import { withoutSecrets } from "../exam/without-secrets.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { loadExam } from "./exam-files.ts";
import { replayCommand } from "./exam-output.ts";
import type { HeldExam } from "./exam-output.ts";

/** How many stories are replayed for a report. The others are shown without the service's journal. */
const MOST_PLAYED = 20;
const NOT_PLAYED = `Only the first ${MOST_PLAYED} stories were played again.`;

/**
 * Returns what an HTML report shows of exams: the story of each broken law, replayed so that its timeline is complete. A passed exam has no
 * story to show.
 */
export async function runsOfExams(
  held: readonly HeldExam[],
  seed: number | string | undefined,
  directory: string,
): Promise<readonly ReportedRun[]> {
  const runs: ReportedRun[] = [];
  let played = 0;
  for (const { file, verdict } of held) {
    const broken = [...verdict.failures, ...verdict.warnings];
    if (broken.length === 0)
      runs.push({
        ...nothingHappened,
        title: `${file}: ${verdict.stories} stories broke no law`,
        seed: String(verdict.seed),
        ...(verdict.passed
          ? { outcome: "passed" as const }
          : { notes: [`The exam is unfinished: ${verdict.unfinished}`] }),
      });
    for (const failure of broken) {
      const told = {
        ...toldOf(file, failure, seed),
        ...(verdict.failures.includes(failure) ? { outcome: "failed" as const } : {}),
      };
      const world = played < MOST_PLAYED ? await playedAgain(file, failure, seed, directory) : NOT_PLAYED;
      played += 1;
      if (typeof world === "object")
        runs.push({
          ...(await gatherRun(world.sim, { explanation: { causes: [] }, asides: world.asides })),
          ...told,
          exam: { ...told.exam, money: world.money },
        });
      else runs.push({ ...nothingHappened, seed: String(verdict.seed), ...told, notes: [world] });
    }
  }
  return runs;
}

function toldOf(file: string, failure: Failure, seed: number | string | undefined) {
  const { law, sentence, what, story, misunderstanding, timeline, others, token } = failure;
  return {
    title: `${file}: ${law}`,
    replay: replayCommand(file, token, seed),
    exam: {
      law,
      sentence,
      what,
      story,
      ...(misunderstanding === undefined ? {} : { misunderstanding }),
      remedy: remedyInWords(failure),
      timeline,
      others: others.map((other) => `${other.story.join(" ")} → ${other.what}`),
    },
  };
}

interface PlayedStory {
  readonly sim: Simulator;
  /** What the merchant did between the service's entries. */
  readonly asides: readonly Aside[];
  readonly money: readonly ReportedMoney[];
}

/** Replays the story of a failure, or returns why it cannot be replayed. */
async function playedAgain(
  file: string,
  { token }: Failure,
  seed: number | string | undefined,
  directory: string,
): Promise<PlayedStory | string> {
  let sim: Simulator | undefined;
  let asides: readonly Aside[] = [];
  let money: readonly ReportedMoney[] = [];
  try {
    const options = await loadExam(file, directory);
    await watchedExam(
      {
        ...options,
        ...(seed === undefined ? {} : { seed }),
        replay: token,
        open: (opening) => {
          // The first simulator is the story's. A second story only teaches how much stock a sale takes.
          sim ??= opening.sim;
          return options.open(opening);
        },
      },
      {
        onStory: (_stories, _failed, { evidence }) => {
          asides = evidence.seen.notes.map(({ after, text }) => ({ after, kind: "note", text: `merchant: ${text}` }));
          money = moneyOf(evidence);
        },
      },
    );
  } catch (error) {
    return `The story could not be played again: ${withoutSecrets(messageOf(error))}`;
  }
  if (sim === undefined) return "The story could not be played again: the merchant was never opened.";
  return { sim, asides, money };
}
