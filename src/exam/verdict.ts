import { coverageInShort, coverageTable } from "./coverage-in-words.ts";
import { failuresInLines } from "./failure-in-words.ts";
import type { Pace } from "./pace.ts";
import { testFile } from "./test-of-story.ts";
import type { TestOptions } from "./test-of-story.ts";
import type { TriedInExam } from "./tried.ts";
import { unseenOf } from "./unseen.ts";
import type { Unseen } from "./unseen.ts";

/** A story that breaks a law for another reason than the first. */
export interface OtherStory {
  readonly story: readonly string[];
  readonly what: string;
  /** The belief that most likely led the merchant there. */
  readonly misunderstanding?: string;
  /** How to keep the law. */
  readonly remedy: string;
  readonly token: string;
  readonly digest: string;
  readonly timeline: string;
  /** The number of the story that first showed it. */
  readonly number: number;
}

/** A broken law, with the shortest story that shows it. */
export interface Failure {
  /** The law's name. */
  readonly law: string;
  /** The law, in one sentence. */
  readonly sentence: string;
  /** What is wrong, with its figures. */
  readonly what: string;
  /** What happened, sentence by sentence. */
  readonly story: readonly string[];
  /** The belief that most likely led the merchant to break the law. */
  readonly misunderstanding?: string;
  /** How to keep the law. */
  readonly remedy: string;
  /** The page about the law. A law of the merchant's own has none. */
  readonly docs?: string;
  /** Plays the story again: `exam({ …, replay: token })`, `centavo exam --replay token`. */
  readonly token: string;
  /** The hash of what happened in the service's world. */
  readonly digest: string;
  /** What happened from the first trouble to the end, with the merchant and the service side by side. */
  readonly timeline: string;
  /** The number of the story that first showed it. */
  readonly number: number;
  /** More stories that break the same law, for other reasons. */
  readonly others: readonly OtherStory[];
  /** How many stories broke this law. */
  readonly count: number;
}

/** What was not played of a search's first round: each flow once, and each kind of trouble once at each kind of place. */
export interface Left {
  readonly flows: number;
  /** The stories with one trouble. Nobody knows them before all flows are played. */
  readonly stories: number;
}

/** What a verdict says. */
export interface VerdictFacts {
  readonly failures: readonly Failure[];
  /** The broken laws that only warn. */
  readonly warnings: readonly Failure[];
  /** How many stories were played. */
  readonly stories: number;
  readonly left: Left;
  /** What ended the search before its end, each in one sentence. */
  readonly endedEarly: readonly string[];
  readonly seed: number | string;
  /** The laws that could not be judged, each with the reason. */
  readonly unjudged: Readonly<Record<string, string>>;
  /** The laws that could be judged only in part, each with the reason. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** The laws that could be judged, but that no story gave a chance: nothing happened that they judge. */
  readonly neverReached: readonly string[];
  /** The laws that were switched off. */
  readonly off: readonly string[];
  /** The laws that only warn. */
  readonly onlyWarn: readonly string[];
  /** The acts that were not given. No flow that needs them was played. */
  readonly missingActs: readonly string[];
  readonly coverage: TriedInExam;
  /** The hash of every story that was played. */
  readonly digest: string;
}

const WITHOUT_EVENTS =
  'No event reached the merchant, because none had an address: unless it only asks, set the option webhookPath, such as "/hooks", or send the `url` that open is given, as in webhookUrl: `${url}/hooks`.';

// eslint-disable-next-line typescript/no-unsafe-declaration-merging -- the constructor assigns every fact
export interface Verdict extends VerdictFacts {}

/** The result of an exam. `String(verdict)` tells it in sentences. */
export class Verdict {
  readonly #facts: VerdictFacts;
  readonly #pace: Pace;

  /** @internal */
  constructor(facts: VerdictFacts, pace: Pace) {
    Object.assign(this, facts);
    this.#facts = facts;
    this.#pace = pace;
  }

  /**
   * `failed`: a law was broken. `passed`: no law was broken, every flow was played, and each kind of trouble was tried once at each kind of
   * place. `unfinished`: no law was broken so far. A law that only warns does not count.
   */
  get outcome(): "passed" | "failed" | "unfinished" {
    if (this.failures.length > 0) return "failed";
    return this.unfinished === undefined ? "passed" : "unfinished";
  }

  /** Whether the search was finished and broke no law, except those that only warn. */
  get passed(): boolean {
    return this.outcome === "passed";
  }

  /** What is left to play, and what ended the search early; undefined for a search that was finished. */
  get unfinished(): string | undefined {
    const { left, endedEarly, coverage } = this;
    // What was thrown may lack its full stop.
    const sentences = [...endedEarly.map((why) => why.replace(/(?<![.!?…])$/, ".")), ...leftInWords(left, coverage)];
    return sentences.length === 0 ? undefined : sentences.join(" ");
  }

  /** What no story met of the resources and routes that the merchant uses. */
  get unseen(): Unseen {
    return unseenOf(this.coverage);
  }

  /** Why no event reached the merchant, and how to fix that; undefined when any event had an address. */
  get withoutEvents(): string | undefined {
    const { events, eventsWithoutAddress } = this.coverage;
    const sent = Object.values(events).reduce((sum, times) => sum + times, 0);
    return sent === 0 || eventsWithoutAddress < sent ? undefined : WITHOUT_EVENTS;
  }

  /** How fast the search was. It differs from run to run, so `toJSON`, `toString` and comparisons of verdicts leave it out. */
  get pace(): Pace {
    return this.#pace;
  }

  /** Returns the verdict as plain data. */
  toJSON(): VerdictFacts & Pick<Verdict, "outcome" | "passed" | "unseen"> & Partial<Pick<Verdict, "withoutEvents">> {
    const { outcome, passed, unseen, withoutEvents } = this;
    return { outcome, passed, ...(withoutEvents !== undefined && { withoutEvents }), ...this.#facts, unseen };
  }

  toString(): string {
    return this.told((token) => `exam({ …, replay: ${JSON.stringify(token)} })`);
  }

  /** Returns tables of what was tried at each place and what was seen of the service. */
  coverageTable(): string {
    return coverageTable(this.coverage);
  }

  /**
   * Returns a test file that plays the story of a failure again, with the merchant's own options. It fails today, and passes once the story
   * passes. `centavo exam --write-test` writes such a file.
   * @param failure one of `failures` or `warnings`
   * @param options how the test imports the exam file, and which runner runs it
   * @throws {CentavoError} `INVALID_OPTION` naming the option
   *
   * @example
   * const [failure] = verdict.failures;
   * if (failure !== undefined) writeFileSync("shop.exam.test.ts", verdict.testOf(failure, { exam: "./shop.exam.ts" }));
   */
  testOf(failure: Failure, options: TestOptions): string {
    return testFile(this, [failure], options);
  }

  /** @internal Returns the verdict with other facts in place of its own. */
  with(facts: Partial<VerdictFacts>): Verdict {
    return new Verdict({ ...this.#facts, ...facts }, this.#pace);
  }

  /** @internal Describes the verdict in sentences, with a way to replay each story. */
  told(replayWith: (token: string) => string): string {
    const { failures, warnings, stories, seed, outcome, unfinished } = this;
    const result = {
      passed: "The exam passed: no story broke a law.",
      failed: `The exam failed: ${failures.length === 1 ? "a law is" : `${failures.length} laws are`} broken.`,
      unfinished: `The exam is unfinished: ${unfinished} No law was broken so far.`,
    }[outcome];
    return [
      `${result} ${stories} ${stories === 1 ? "story was" : "stories were"} played with the seed ${JSON.stringify(seed)}.`,
      ...(this.withoutEvents === undefined ? [] : [this.withoutEvents]),
      ...(outcome === "failed" && unfinished !== undefined ? [`The search was not finished: ${unfinished}`] : []),
      ...failuresInLines("✗", failures, replayWith),
      ...failuresInLines("!", warnings, replayWith),
      "",
      ...coverageInShort(this.coverage, this.missingActs),
      ...this.#notJudged(),
    ].join("\n");
  }

  /** Lists what a green exam does not prove. */
  #notJudged(): string[] {
    const { unjudged, leftOut, neverReached, off, onlyWarn, missingActs } = this;
    return [
      ...(neverReached.length === 0
        ? []
        : [
            `Never reached: ${neverReached.join(", ")}, because nothing happened that ${neverReached.length === 1 ? "it judges" : "they judge"}.`,
          ]),
      ...[...Map.groupBy(Object.entries(unjudged), ([, why]) => why)].map(
        ([why, each]) => `Not judged: ${each.map(([law]) => law).join(", ")}, because ${why}.`,
      ),
      ...Object.entries(leftOut).map(([law, why]) => `Judged in part: ${law}, because ${why}.`),
      ...(off.length === 0 ? [] : [`Switched off: ${off.join(", ")}.`]),
      ...(onlyWarn.length === 0 ? [] : [`Only warned of: ${onlyWarn.join(", ")}.`]),
      ...(missingActs.length === 0
        ? []
        : [`Acts that are missing, so nothing that needs them was tried: ${missingActs.join(", ")}.`]),
    ];
  }
}

function leftInWords({ flows, stories }: Left, { flows: played, flowsNotPlayed }: TriedInExam): readonly string[] {
  if (flows > 0) {
    const all = Object.keys(played).length + flowsNotPlayed.length;
    return [
      `${flows} of its ${all} flows ${flows === 1 ? "was" : "were"} not played, and no story of its first round.`,
    ];
  }
  return stories === 0
    ? []
    : [
        `${stories} ${stories === 1 ? "story" : "stories"} of its first round ${stories === 1 ? "was" : "were"} not played.`,
      ];
}
