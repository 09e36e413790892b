import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { realTime } from "../kit/base/runtime/real-time.ts";
import { runScenario } from "../scenario/run-scenario.ts";
import type { ScenarioResult } from "../scenario/run-scenario.ts";
import { recordingAsText } from "../simulator/payment-recording.ts";
import { toSettings } from "../simulator/simulator-options.ts";
import { printedSizes } from "./captured-output.ts";
import { describe } from "./described.ts";
import { digestProblem } from "./digests.ts";
import { Heartbeat } from "./heartbeat.ts";
import { fewTurns, leftBehind, UNCAUGHT } from "./left-behind.ts";
import { contactInWords, withTokens } from "./merchant-contact.ts";
import { loadStories } from "./load-stories.ts";
import type { LoadedStory } from "./load-stories.ts";
import { rerunCommand } from "./rerun-command.ts";
import { withinPatience, withoutStandstill } from "./standstill.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { Assignment, PlayOptions, Send, StoryResult } from "./story-messages.ts";

/**
 * Loads a file in this process and plays its stories, up to the first that fails: what that one leaves behind may disturb the others.
 * @param stopped ends the story under way
 */
export async function playStories(
  { path, directory, names, isListing, options }: Assignment,
  send: Send,
  stopped: Promise<void>,
): Promise<void> {
  const interruption = new Interruption(stopped);
  const heartbeat = new Heartbeat(send);
  let stories: readonly LoadedStory[];
  try {
    const loading = withinPatience(loadStories(path, directory), options.patience);
    const loaded = await Promise.race([loading, interruption.promise]);
    stories = loaded.stories.filter(({ name }) => names?.includes(name) ?? true);
    const listed = loaded.stories.map(({ name, title }) => ({ name, path, title }));
    await send({ kind: "file-loaded", stories: listed, looksLikeStory: loaded.looksLikeStory });
  } catch (error) {
    await send({ kind: "file-failed", reason: describe(error) });
    return;
  }
  if (isListing === true) return;
  await fewTurns();
  let tokens = options.merchant?.tokens ?? [];
  for (const story of stories) {
    await send({ kind: "story-started", name: story.name });
    heartbeat.begin();
    const result = await play(story, withTokens(options, tokens), interruption, heartbeat);
    tokens = result.contact?.tokens ?? tokens;
    await send({ kind: "story-ended", name: story.name, result, printed: printedSizes() });
    if (result.problem !== undefined) return;
  }
  await send({ kind: "done" });
  // An error that comes while a message is on its way belongs to no later story.
  if (interruption.uncaught !== undefined) await send({ kind: "aborted", reason: describe(interruption.uncaught) });
}

/**
 * What ends the work under way from outside: an error that nothing caught, or the command. It holds for the rest of the process, because an
 * error may come when no story is under way.
 */
class Interruption {
  readonly promise: Promise<never>;
  /** The first error that nothing caught. */
  uncaught: Error | undefined;

  constructor(stopped: Promise<void>) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.promise = promise;
    process.on("uncaughtException", (cause) => {
      this.uncaught ??= new Error(UNCAUGHT, { cause });
      reject(this.uncaught);
    });
    void stopped.then(() => reject(new CentavoError("INVALID_STATE", "The run was interrupted.")));
  }
}

async function play(
  story: LoadedStory,
  options: PlayOptions,
  interruption: Interruption,
  heartbeat: Heartbeat,
): Promise<StoryResult> {
  const { isRecorded, isReported } = options;
  const begin = realTime();
  const seconds = (): number => (realTime() - begin) / 1000;
  let played: ScenarioResult;
  try {
    played = await leftBehind(runStory(story, options, interruption, heartbeat));
  } catch (error) {
    // Such as options that the simulator refuses.
    return { seconds: seconds(), problem: describe(error) };
  }
  // A cleanup, or the turns after it, may have left an error that nothing raced.
  const { uncaught } = interruption;
  const result = played.passed && uncaught !== undefined ? { ...played, passed: false, error: uncaught } : played;
  const { timeline, digest } = result;
  const problem = problemOf(story, result, options);
  const replay = rerunCommand(story, options.rerun);
  const ending = result.passed && problem !== undefined ? { outcome: "failed" as const, error: problem } : {};
  return {
    timeline,
    digest,
    seconds: seconds(),
    ...(problem !== undefined && { problem }),
    ...(result.contact !== undefined && { contact: result.contact }),
    ...(isRecorded && { recording: recordingAsText(result.recording()) }),
    ...(isReported && { report: await result.reported({ replay, ...ending }) }),
  };
}

/** @throws {CentavoError} when the simulator refuses the options of the story */
async function runStory(
  story: LoadedStory,
  { way, seed, assumptions, patience, isRecorded, isReported, merchant }: PlayOptions,
  interruption: Interruption,
  heartbeat: Heartbeat,
): Promise<ScenarioResult> {
  let isInterrupted = false;
  interruption.promise.catch(() => (isInterrupted = true));
  let isScript = true;
  return runScenario(story.scenario, {
    fakeDate: true,
    wait: (work, sim) => {
      const watched = withoutStandstill(work, sim, patience);
      // Cleanups follow after an interruption.
      const mayBeInterrupted = isScript || !isInterrupted;
      isScript = false;
      return mayBeInterrupted ? Promise.race([watched, interruption.promise]) : watched;
    },
    onMove: (moment) => heartbeat.moved(moment),
    ...(way !== undefined && { way }),
    ...(merchant !== undefined && { merchant }),
    simulator: {
      ...(seed !== undefined && { seed: merchant === undefined ? seed : seedOf(story, seed) }),
      ...(assumptions !== undefined && { assumptions: { ...assumptions, ...ownAssumptions(story) } }),
      ...((isRecorded || isReported) && { recording: true }),
    },
  });
}

/** Returns a seed of the story's own, because a merchant that goes on ignores an event whose id it has seen in another story. */
function seedOf({ name }: LoadedStory, seed: string): string {
  return `${seed}-${name.replaceAll("/", "-")}`;
}

/** Returns the assumptions that a story sets itself, also if it names a file. */
function ownAssumptions({ scenario }: LoadedStory): AssumptionOverrides {
  const { assumptions = {} } = scenario.options;
  return toSettings({ assumptions }).assumptions;
}

function problemOf({ name }: LoadedStory, result: ScenarioResult, { kept, merchant }: PlayOptions): string | undefined {
  if (result.passed) return kept === undefined ? undefined : digestProblem(name, result.digest, kept);
  const contact = merchant && result.contact && contactInWords(merchant, result.contact);
  return [describe(result.error), result.cause, contact].filter((part) => part !== undefined).join("\n\n");
}
