import type { Coverage } from "./tried.ts";

/** A story that breaks a law for another reason than the first. */
export interface OtherStory {
  readonly story: readonly string[];
  readonly what: string;
  readonly token: string;
  readonly digest: string;
  readonly timeline: string;
  /** The number of the story that first showed it. */
  readonly number: number;
}

/** A law that was broken, with the shortest story that shows it. */
export interface Failure {
  /** The law's name. */
  readonly law: string;
  /** The law, in one sentence. */
  readonly sentence: string;
  /** What is wrong, with its figures. */
  readonly what: string;
  /** What happened, sentence by sentence. */
  readonly story: readonly string[];
  /** What a merchant does to keep the law. */
  readonly remedy: string;
  /** The page on the law. */
  readonly docs: string;
  /** Plays the story again: `exam({ …, replay: token })`, `centavo exam --replay token`. */
  readonly token: string;
  /** The hash of what happened in the service's world. */
  readonly digest: string;
  /** What happened around the first trouble, the merchant and the service side by side. */
  readonly timeline: string;
  /** The number of the story that first showed it. */
  readonly number: number;
  /** Further stories that break the same law for another reason. */
  readonly others: readonly OtherStory[];
  /** How many stories broke this law. */
  readonly count: number;
}

/** What a verdict says. */
export interface VerdictFacts {
  readonly failures: readonly Failure[];
  /** Laws that only warn, and were broken. */
  readonly warnings: readonly Failure[];
  /** How many stories were played. */
  readonly stories: number;
  readonly seed: number | string;
  /** The laws that could not be judged, and why. */
  readonly unjudged: Readonly<Record<string, string>>;
  /** What was left out of laws that were judged, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** The laws that were switched off. */
  readonly off: readonly string[];
  /** The acts that the merchant did not give, so that their flows were not examined. */
  readonly missingActs: readonly string[];
  readonly coverage: Coverage;
  /** The hash of every story that was played. */
  readonly digest: string;
}

const MOST_OTHERS = 5;

/** The result of an exam. `String(verdict)` tells it in sentences. */
export class Verdict implements VerdictFacts {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
  readonly stories: number;
  readonly seed: number | string;
  readonly unjudged: Readonly<Record<string, string>>;
  readonly leftOut: Readonly<Record<string, string>>;
  readonly off: readonly string[];
  readonly missingActs: readonly string[];
  readonly coverage: Coverage;
  readonly digest: string;

  /** @internal */
  constructor(facts: VerdictFacts) {
    this.failures = facts.failures;
    this.warnings = facts.warnings;
    this.stories = facts.stories;
    this.seed = facts.seed;
    this.unjudged = facts.unjudged;
    this.leftOut = facts.leftOut;
    this.off = facts.off;
    this.missingActs = facts.missingActs;
    this.coverage = facts.coverage;
    this.digest = facts.digest;
  }

  /** Whether no law was broken that counts. */
  get passed(): boolean {
    return this.failures.length === 0;
  }

  /** Returns the verdict as plain data. */
  toJSON(): VerdictFacts & { readonly passed: boolean } {
    const { passed, failures, warnings, stories, seed, unjudged, leftOut, off, missingActs, coverage, digest } = this;
    return { passed, failures, warnings, stories, seed, unjudged, leftOut, off, missingActs, coverage, digest };
  }

  toString(): string {
    return this.told((token) => `exam({ …, replay: ${JSON.stringify(token)} })`);
  }

  /** @internal Tells the verdict in sentences, with a way to replay a story. */
  told(replayWith: (token: string) => string): string {
    const { failures, warnings, stories, seed } = this;
    const result =
      failures.length === 0
        ? "The exam is passed: no story broke a law."
        : `The exam is failed: ${failures.length === 1 ? "a law is" : `${failures.length} laws are`} broken.`;
    return [
      `${result} ${stories} ${stories === 1 ? "story was" : "stories were"} played with the seed ${JSON.stringify(seed)}.`,
      ...failures.flatMap((failure) => inLines("✗", failure, replayWith)),
      ...warnings.flatMap((warning) => inLines("!", warning, replayWith)),
      "",
      ...this.#notTried(),
    ].join("\n");
  }

  /** What a green exam does not prove. */
  #notTried(): string[] {
    const { unjudged, leftOut, off, missingActs, coverage } = this;
    const never = Object.values(coverage.neverStruck).flat().length;
    const struck = Object.values(coverage.troubles).flatMap((counts) => Object.keys(counts)).length;
    return [
      `Tried: ${struck} troubles at ${Object.keys(coverage.troubles).length} kinds of place in ${Object.keys(coverage.flows).length} flows${never === 0 ? "" : `; ${never} more were planned and never happened`}.`,
      ...Object.entries({ ...unjudged, ...leftOut }).map(([law, why]) => `Not judged: ${law}, because ${why}.`),
      ...(off.length === 0 ? [] : [`Switched off: ${off.join(", ")}.`]),
      ...(missingActs.length === 0
        ? []
        : [`Not examined: flows with ${missingActs.join(", ")}, because these acts were not given.`]),
    ];
  }
}

function inLines(
  mark: string,
  { law, sentence, what, story, remedy, docs, token, timeline, others, count }: Failure,
  replayWith: (token: string) => string,
): string[] {
  return [
    "",
    `${mark} ${law}: ${sentence}`,
    ...story.map((each, index) => `  ${index + 1}. ${each}`),
    `  → ${what}`,
    `  ${remedy} ${docs}`,
    `  Replay it: ${replayWith(token)}`,
    ...others.slice(0, MOST_OTHERS).map((other) => `  Also: ${other.story.join(" ")} → ${other.what}`),
    ...(others.length > MOST_OTHERS
      ? [`  And ${others.length - MOST_OTHERS} other ways; ${count} stories broke this law.`]
      : []),
    "",
    ...timeline.split("\n").map((line) => `    ${line}`.trimEnd()),
  ];
}
