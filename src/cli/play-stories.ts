import { fstatSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import type { ScenarioResult } from "../scenario/run-scenario.ts";
import { recordingAsText } from "../simulator/payment-recording.ts";
import { toSettings } from "../simulator/simulator-options.ts";
import { describe } from "./described.ts";
import { digestProblem } from "./digests.ts";
import { leftBehind, UNCAUGHT } from "./left-behind.ts";
import { loadStories } from "./load-stories.ts";
import type { LoadedStory } from "./load-stories.ts";
import { rerunCommand } from "./rerun-command.ts";
import { SignsOfLife } from "./signs-of-life.ts";
import { withinPatience, withoutStandstill } from "./standstill.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { Assignment, PlayOptions, StoryResult, Tell } from "./story-messages.ts";

const STANDARD_OUTPUT = 1;

/**
 * Loads a file in this process and plays its stories, up to the first that fails: what that one leaves behind may disturb the others.
 * @param stopped ends the story under way
 */
export async function playStories(
  { path, directory, names, isListing, options }: Assignment,
  tell: Tell,
  stopped: Promise<void>,
): Promise<void> {
  const interruptions = new Interruptions(stopped);
  const signs = new SignsOfLife(tell);
  let stories: readonly LoadedStory[];
  try {
    const loading = withinPatience(loadStories(path, directory), options.patience);
    const loaded = await Promise.race([loading, interruptions.next()]);
    stories = loaded.stories.filter(({ name }) => names?.includes(name) ?? true);
    const listed = loaded.stories.map(({ name, title }) => ({ name, path, title }));
    await tell({ kind: "loaded", stories: listed, isSkipped: loaded.isSkipped });
  } catch (error) {
    await tell({ kind: "broken", why: describe(error) });
    return;
  }
  if (isListing === true) return;
  let interrupted = interruptions.next();
  for (const story of stories) {
    await tell({ kind: "begun", name: story.name });
    signs.begin();
    const result = await play(story, options, interrupted, signs);
    interrupted = interruptions.next();
    await tell({ kind: "ended", name: story.name, printed: fstatSync(STANDARD_OUTPUT).size, result });
    if (result.problem !== undefined) return;
  }
}

/** What ends the work under way from outside: an error that nothing caught, or the command. */
class Interruptions {
  #interrupt: (error: unknown) => void = () => undefined;
  #stopped: CentavoError | undefined;

  constructor(stopped: Promise<void>) {
    process.on("uncaughtException", (cause) => this.#interrupt(new Error(UNCAUGHT, { cause })));
    void this.#listen(stopped);
  }

  async #listen(stopped: Promise<void>): Promise<void> {
    await stopped;
    this.#stopped = new CentavoError("INVALID_STATE", "The run was interrupted.");
    this.#interrupt(this.#stopped);
  }

  /** Returns what rejects when the next work is interrupted. */
  next(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    // Work that has ended listens no more.
    promise.catch(() => undefined);
    this.#interrupt = reject;
    if (this.#stopped !== undefined) reject(this.#stopped);
    return promise;
  }
}

async function play(
  story: LoadedStory,
  options: PlayOptions,
  interrupted: Promise<never>,
  signs: SignsOfLife,
): Promise<StoryResult> {
  const { way, seed, assumptions, patience, isRecorded, isReported } = options;
  const begin = performance.now();
  let isInterrupted = false;
  interrupted.catch(() => (isInterrupted = true));
  let isScript = true;
  const result = await leftBehind(
    runScenario(story.scenario, {
      fakeDate: true,
      wait: (work, sim) => {
        const watched = withoutStandstill(work, sim, patience);
        // Cleanups follow after an interruption.
        const mayBeInterrupted = isScript || !isInterrupted;
        isScript = false;
        return mayBeInterrupted ? Promise.race([watched, interrupted]) : watched;
      },
      onMove: (moment) => signs.moved(moment),
      ...(way !== undefined && { way }),
      simulator: {
        ...(seed !== undefined && { seed }),
        ...(assumptions !== undefined && { assumptions: { ...assumptions, ...ownAssumptions(story) } }),
        ...((isRecorded || isReported) && { recording: true }),
      },
    }),
  );
  const { timeline, digest } = result;
  const problem = problemOf(story, result, options);
  const replay = rerunCommand(story, options.rerun);
  const ending = result.passed && problem !== undefined ? { outcome: "failed" as const, error: problem } : {};
  return {
    timeline,
    digest,
    seconds: (performance.now() - begin) / 1000,
    ...(problem !== undefined && { problem }),
    ...(isRecorded && { recording: recordingAsText(result.recording()) }),
    ...(isReported && { report: await result.reported({ replay, ...ending }) }),
  };
}

/** Returns the assumptions that a story sets itself, also if it names a file. */
function ownAssumptions({ scenario }: LoadedStory): AssumptionOverrides {
  const { assumptions = {} } = scenario.options;
  return toSettings({ assumptions }).assumptions;
}

function problemOf({ name }: LoadedStory, result: ScenarioResult, { kept }: PlayOptions): string | undefined {
  if (result.passed) return kept === undefined ? undefined : digestProblem(name, result.digest, kept);
  const message = describe(result.error);
  return result.cause === undefined ? message : `${message}\n\n${result.cause}`;
}
