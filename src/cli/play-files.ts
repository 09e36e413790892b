import { availableParallelism } from "node:os";
import type { OfStreams } from "./captured-output.ts";
import { concurrentInOrder } from "./concurrent-in-order.ts";
import { withTokens } from "./merchant-contact.ts";
import type { RunningMerchant } from "../scenario/running-merchant.ts";
import type { ChosenFile, ListedFiles, ListedStory } from "./story-files.ts";
import type { PlayOptions, StoryMessage, StoryResult } from "./story-messages.ts";
import { startStoryProcess } from "./story-process.ts";
import type { ProcessEnd, StoryProcess } from "./story-process.ts";

/** A story that was played, or whose process ended before. What its process printed comes with it. */
export interface PlayedStory extends ListedStory, Partial<StoryResult>, OfStreams<string> {
  readonly outcome: "passed" | "failed" | "interrupted";
}

/** What became of a story, or of a whole file. */
export type PlayResult =
  | { readonly kind: "story"; readonly story: PlayedStory }
  | { readonly kind: "no-story"; readonly file: ChosenFile; readonly looksLikeStory: boolean }
  | ({ readonly kind: "file-failed"; readonly path: string; readonly reason: string } & OfStreams<string>)
  /** The run was interrupted before these were played: the names of stories, or the file if it was not loaded. */
  | { readonly kind: "not-played"; readonly what: readonly string[] };

/** What watches the stories. */
export interface FilesWatch {
  /** Called again and again while a story is under way. */
  readonly onMove?: (story: string, timers: number, moment: string) => void;
  readonly onEnd?: (story: string) => void;
}

/** The processes of one command, side by side up to the number of cores. */
export class StoryProcesses {
  readonly #directory: string;
  readonly #options: PlayOptions;
  readonly #watch: FilesWatch;
  readonly #running = new Set<StoryProcess>();
  /** The access tokens that a merchant in another process has got so far. */
  #tokens: RunningMerchant["tokens"] = [];
  #isStopped = false;

  constructor(directory: string, options: PlayOptions, watch: FilesWatch) {
    this.#directory = directory;
    this.#options = options;
    this.#watch = watch;
  }

  /** Ends the stories under way and leaves out the others. The second call ends the processes at once. */
  stop(): void {
    this.#isStopped = true;
    for (const each of this.#running) each.stop();
  }

  /** Loads files, and returns their stories, and the files that could not be loaded. */
  async list(paths: readonly string[]): Promise<ListedFiles> {
    const stories: ListedStory[] = [];
    const notLoaded: string[] = [];
    await this.#concurrently<string, { readonly path: string; readonly listed: readonly ListedStory[] | undefined }>(
      paths,
      async (path, report) => {
        let listed: readonly ListedStory[] | undefined;
        await this.#runProcess({ path, isListing: true }, (message) => {
          if (message.kind === "file-loaded") listed = message.stories;
        });
        report({ path, listed });
      },
      ({ path, listed }) => {
        if (listed === undefined) notLoaded.push(path);
        else stories.push(...listed);
      },
    );
    return { stories, notLoaded };
  }

  /** Plays the stories of files, and reports what becomes of them in the order of the files. */
  async play(files: readonly ChosenFile[], report: (result: PlayResult) => void): Promise<void> {
    await this.#concurrently(files, async (file, tell) => this.#playFile(file, tell), report);
  }

  /** How many processes there may be. A merchant in another process knows one address of the service, so one story at a time answers there. */
  get #atOnce(): number {
    return this.#options.merchant === undefined ? availableParallelism() : 1;
  }

  async #concurrently<Item, Result>(
    items: readonly Item[],
    work: (item: Item, report: (result: Result) => void) => Promise<void>,
    report: (result: Result) => void,
  ): Promise<void> {
    try {
      await concurrentInOrder(items, this.#atOnce, work, report);
    } finally {
      for (const each of this.#running) each.kill();
    }
  }

  /** Plays a file. A process ends with the first story that fails, and another one plays the rest. */
  async #playFile(file: ChosenFile, report: (result: PlayResult) => void): Promise<void> {
    let left: readonly ListedStory[] | undefined;
    let last: PlayResult | undefined;
    const { path } = file;
    while (left === undefined || left.length > 0) {
      if (this.#isStopped) {
        report({ kind: "not-played", what: left?.map(({ name }) => name) ?? [path] });
        return;
      }
      const names: readonly string[] | undefined = left?.map(({ name }) => name) ?? file.names;
      let hasFailed = false;
      let notLoaded: string | undefined;
      const { reason, ...printed } = await this.#runProcess({ path, names }, (message, process) => {
        if (message.kind === "file-failed") notLoaded = message.reason;
        if (message.kind === "file-loaded") {
          left ??= message.stories.filter(({ name }) => names?.includes(name) ?? true);
          if (left.length === 0) last = { kind: "no-story", file, looksLikeStory: message.looksLikeStory };
        }
        if (message.kind !== "story-ended" || left?.[0]?.name !== message.name) return;
        this.#tokens = message.result.contact?.tokens ?? this.#tokens;
        const [story, ...rest] = left;
        left = rest;
        hasFailed = message.result.problem !== undefined;
        const outcome = hasFailed ? this.#outcomeOfFailure : "passed";
        const result: PlayResult = {
          kind: "story",
          story: { ...story, ...message.result, outcome, ...process.printed(message.printed) },
        };
        const isLast = left.length === 0 && !hasFailed;
        // What the story left behind may still throw.
        if (isLast) last = result;
        else report(result);
        if (hasFailed || isLast) process.expectEnd();
      });
      if (last !== undefined) {
        report(reason === undefined ? last : this.#failedAtTheEnd(last, reason, printed));
        return;
      }
      if (left === undefined) {
        if (this.#isStopped) report({ kind: "not-played", what: [path] });
        else report({ kind: "file-failed", path, reason: notLoaded ?? endedTooEarly(reason), ...printed });
        return;
      }
      const [story, ...rest]: readonly ListedStory[] = left;
      if (hasFailed || story === undefined) continue;
      left = rest;
      const problem = notLoaded ?? endedTooEarly(reason);
      report({ kind: "story", story: { ...story, outcome: this.#outcomeOfFailure, problem, ...printed } });
    }
  }

  get #outcomeOfFailure(): "failed" | "interrupted" {
    return this.#isStopped ? "interrupted" : "failed";
  }

  /** Returns the last result of a file whose process did not end as it should. */
  #failedAtTheEnd(last: PlayResult, reason: string, { stdout, stderr }: OfStreams<string>): PlayResult {
    if (last.kind === "no-story" && !this.#isStopped)
      return { kind: "file-failed", path: last.file.path, reason, stdout, stderr };
    if (last.kind !== "story") return last;
    const { story } = last;
    return {
      kind: "story",
      story: {
        ...story,
        outcome: this.#outcomeOfFailure,
        problem: `The story had passed, but its process did not end well: ${reason}`,
        stdout: story.stdout + stdout,
        stderr: story.stderr + stderr,
      },
    };
  }

  async #runProcess(
    work: { readonly path: string; readonly names?: readonly string[] | undefined; readonly isListing?: boolean },
    onMessage: (message: StoryMessage, process: StoryProcess) => void,
  ): Promise<ProcessEnd> {
    const { path, names, isListing = false } = work;
    let underWay = path;
    const started: StoryProcess = startStoryProcess(
      {
        path,
        directory: this.#directory,
        isListing,
        options: withTokens(this.#options, this.#tokens),
        ...(names !== undefined && { names }),
      },
      (message) => {
        if (message.kind === "story-started") underWay = message.name;
        else if (message.kind === "heartbeat") this.#watch.onMove?.(underWay, message.timers, message.moment);
        else onMessage(message, started);
        if (message.kind === "story-ended") this.#watch.onEnd?.(underWay);
      },
    );
    this.#running.add(started);
    const end = await started.ended;
    this.#running.delete(started);
    this.#watch.onEnd?.(underWay);
    return end;
  }
}

function endedTooEarly(reason = "it had nothing left to do"): string {
  return `The process of the story ended before the story did: ${reason}.`;
}
