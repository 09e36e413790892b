import { availableParallelism } from "node:os";
import type { ChosenFile, ListedStory } from "./story-files.ts";
import { concurrentInOrder } from "./concurrent-in-order.ts";
import type { PlayOptions, StoryResult, Told } from "./story-messages.ts";
import { startStoryProcess } from "./story-process.ts";
import type { ProcessEnd, StoryProcess } from "./story-process.ts";

/** A story that was played, or whose process ended before. */
export interface PlayedStory extends ListedStory, Partial<StoryResult> {
  readonly outcome: "passed" | "failed" | "interrupted";
  /** What its process printed. */
  readonly printed: string;
}

/** What is told of a file. */
export type FileNews =
  | { readonly kind: "story"; readonly story: PlayedStory }
  | { readonly kind: "no story"; readonly file: ChosenFile; readonly looksLikeOne: boolean }
  | { readonly kind: "broken"; readonly path: string; readonly why: string; readonly printed: string }
  /** The run was interrupted before these were played: the names of stories, or the file if it was not loaded. */
  | { readonly kind: "left out"; readonly what: readonly string[] };

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

  /** Returns the stories of files that can be loaded. */
  async list(paths: readonly string[]): Promise<readonly ListedStory[]> {
    const stories: ListedStory[] = [];
    await this.#concurrently<string, readonly ListedStory[]>(
      paths,
      async (path, tell) => {
        await this.#runProcess({ path, isListing: true }, (told) => {
          if (told.kind === "loaded") tell(told.stories);
        });
      },
      (listed) => stories.push(...listed),
    );
    return stories;
  }

  /** Plays the stories of files, and passes on what becomes of them in the order of the files. */
  async play(files: readonly ChosenFile[], passOn: (news: FileNews) => void): Promise<void> {
    await this.#concurrently(files, async (file, tell) => this.#playFile(file, tell), passOn);
  }

  async #concurrently<Item, News>(
    items: readonly Item[],
    work: (item: Item, tell: (news: News) => void) => Promise<void>,
    passOn: (news: News) => void,
  ): Promise<void> {
    try {
      await concurrentInOrder(items, availableParallelism(), work, passOn);
    } finally {
      for (const each of this.#running) each.kill();
    }
  }

  /** Plays a file. A process ends with the first story that fails, and another one plays the rest. */
  async #playFile(file: ChosenFile, tell: (news: FileNews) => void): Promise<void> {
    let left: readonly ListedStory[] | undefined;
    let last: FileNews | undefined;
    const { path } = file;
    while (left === undefined || left.length > 0) {
      if (this.#isStopped) {
        tell({ kind: "left out", what: left?.map(({ name }) => name) ?? [path] });
        return;
      }
      const names: readonly string[] | undefined = left?.map(({ name }) => name) ?? file.names;
      let hasFailed = false;
      let broken: string | undefined;
      const end = await this.#runProcess({ path, names }, (told, process) => {
        if (told.kind === "broken") broken = told.why;
        if (told.kind === "loaded") {
          left ??= told.stories.filter(({ name }) => names?.includes(name) ?? true);
          if (left.length === 0) last = { kind: "no story", file, looksLikeOne: told.isSkipped };
        }
        if (told.kind !== "ended" || left?.[0]?.name !== told.name) return;
        const [story, ...rest] = left;
        left = rest;
        hasFailed = told.result.problem !== undefined;
        const outcome = hasFailed ? (this.#isStopped ? "interrupted" : "failed") : "passed";
        const printed = process.printed(told.printed);
        const news: FileNews = { kind: "story", story: { ...story, ...told.result, outcome, printed } };
        const isLast = left.length === 0 && !hasFailed;
        // What the story left behind may still throw.
        if (isLast) last = news;
        else tell(news);
        if (hasFailed || isLast) process.expectEnd();
      });
      if (last !== undefined) {
        tell(end.why === undefined ? last : this.#failedAtTheEnd(last, end.why, end.printed));
        return;
      }
      if (left === undefined) {
        if (this.#isStopped) tell({ kind: "left out", what: [path] });
        else tell({ kind: "broken", path, why: broken ?? inWords(end.why), printed: end.printed });
        return;
      }
      const [story, ...rest]: readonly ListedStory[] = left;
      if (hasFailed || story === undefined) continue;
      left = rest;
      const outcome = this.#isStopped ? "interrupted" : "failed";
      const problem = broken ?? inWords(end.why);
      tell({ kind: "story", story: { ...story, outcome, problem, printed: end.printed } });
    }
  }

  /** Returns the last news of a file whose process did not end as it should. */
  #failedAtTheEnd(last: FileNews, why: string, printed: string): FileNews {
    if (last.kind === "no story" && !this.#isStopped) return { kind: "broken", path: last.file.path, why, printed };
    if (last.kind !== "story") return last;
    const outcome = this.#isStopped ? "interrupted" : "failed";
    const problem = `The story had passed, but its process did not end well: ${why}`;
    return { kind: "story", story: { ...last.story, outcome, problem, printed: last.story.printed + printed } };
  }

  async #runProcess(
    work: { readonly path: string; readonly names?: readonly string[] | undefined; readonly isListing?: boolean },
    onTold: (told: Told, process: StoryProcess) => void,
  ): Promise<ProcessEnd> {
    const { path, names, isListing = false } = work;
    let underWay = path;
    const started: StoryProcess = startStoryProcess(
      { path, directory: this.#directory, isListing, options: this.#options, ...(names !== undefined && { names }) },
      (told) => {
        if (told.kind === "begun") underWay = told.name;
        else if (told.kind === "alive") this.#watch.onMove?.(underWay, told.timers, told.moment);
        else onTold(told, started);
        if (told.kind === "ended") this.#watch.onEnd?.(underWay);
      },
    );
    this.#running.add(started);
    const end = await started.ended;
    this.#running.delete(started);
    this.#watch.onEnd?.(underWay);
    return end;
  }
}

function inWords(why = "it had nothing left to do"): string {
  return `The process of the story ended before the story did: ${why}.`;
}
