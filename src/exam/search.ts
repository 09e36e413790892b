import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { realTime } from "../kit/base/runtime/real-time.ts";
import type { Evidence } from "./evidence.ts";
import { flowsOf, missingActs } from "./flows.ts";
import type { Breach, Law } from "./laws/law.ts";
import { laws } from "./laws/laws.ts";
import type { ActName } from "./options.ts";
import { paceOf } from "./pace.ts";
import type { ReadOptions } from "./read-options.ts";
import { joinLeftOut } from "./merge-verdicts.ts";
import { MOST_REASONS, reasonOf, shortestFirst } from "./reason.ts";
import { WaitedTooLong } from "./real-waits.ts";
import { outcomeOf, runStory } from "./run-story.ts";
import type { Outcome } from "./run-story.ts";
import { shorten } from "./shorten.ts";
import { merchantWork } from "../merchant/process/merchant-work.ts";
import { planOf, possibleTroubles } from "./stories.ts";
import type { LearnedFlow } from "./stories.ts";
import { NO_STORIES, withStory } from "./stories-digest.ts";
import { nameOfPoint } from "./story.ts";
import type { Flow, PlacedTrouble, Story } from "./story.ts";
import { tokenOf } from "./token.ts";
import { Tried } from "./tried.ts";
import { refuseOtherOrigin, refuseUnexaminable } from "./unexaminable.ts";
import { Verdict } from "./verdict.ts";
import type { Failure, Left, OtherStory, VerdictFacts } from "./verdict.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** What watches a search from outside. */
export interface SearchWatch {
  /** Called before each story. Returns whether to stop the search and judge what was found. */
  readonly isStopped?: () => boolean;
  /** Called before the first story, with the options and a way to see what the search has found so far. */
  readonly onBegin?: (options: ReadOptions, soFar: () => Verdict) => void;
  /** Called after each story, with the number played, the names of the laws that failed so far, and the outcome. */
  readonly onStory?: (stories: number, failed: readonly string[], outcome: Outcome) => void;
}

/** The threads of one search. They share what they learn and divide the stories. */
export interface Team {
  /** The number of this thread, from 0. */
  readonly index: number;
  readonly of: number;
  /** Tells the other threads what this one learned, and returns what all have learned, in any order. */
  readonly share: (learned: readonly LearnedFlow[]) => Promise<readonly LearnedFlow[]>;
}

const ALONE: Team = { index: 0, of: 1, share: (learned) => Promise.resolve(learned) };

interface Broken {
  readonly law: Law;
  count: number;
  /** The shortest story for each reason, by the troubles that it needs. */
  readonly reasons: Map<string, { readonly breach: Breach; readonly outcome: Outcome; readonly number: number }>;
}

/** Plays stories, the shortest first, and judges each of them. */
export class Search {
  readonly #options: ReadOptions;
  readonly #broken = new Map<string, Broken>();
  readonly #tried: Tried;
  readonly #judged = new Set<string>();
  readonly #unjudged = new Map<string, string>();
  #leftOut: VerdictFacts["leftOut"] = {};
  readonly #endedEarly = new Set<string>();
  readonly #began = { at: realTime(), ofMerchant: merchantWork.milliseconds };
  readonly #endsAt: number;
  #isBrokenOff = false;
  #left: Left = { flows: 0, stories: 0 };
  readonly #watch: SearchWatch;
  readonly #team: Team;
  #unitsOfStock: Evidence["unitsOfStock"] | undefined;
  #stories = 0;
  /** The number of the newest story, which every shard counts alike. */
  #number = 0;
  #digest = NO_STORIES;

  constructor(options: ReadOptions, watch: SearchWatch = {}, team: Team = ALONE) {
    this.#options = options;
    this.#watch = watch;
    this.#team = team;
    this.#tried = new Tried(options.replay === undefined ? flowsOf(options).map(({ name }) => name) : []);
    this.#endsAt = realTime() + options.budget.milliseconds;
  }

  async verdict(): Promise<Verdict> {
    const { replay, budget, waits } = this.#options;
    this.#watch.onBegin?.(this.#options, () => this.soFar());
    waits.begin(budget.milliseconds);
    try {
      if (replay === undefined) await this.#search();
      else await this.#replay(replay);
    } catch (error) {
      // What was found counts, whatever ended the search.
      if (!(error instanceof WaitedTooLong) && this.#failed.length === 0) throw error;
      this.breakOff(withoutSecrets(messageOf(error)));
    }
    return this.soFar();
  }

  /** Ends what the search has begun, such as the merchant's database. */
  async close(end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } catch (error) {
      if (!(error instanceof WaitedTooLong)) throw error;
      this.breakOff(error.message);
    }
  }

  /** Ends the search as soon as it can, with what it has found. */
  breakOff(why: string): void {
    this.#endedEarly.add(why);
    this.#isBrokenOff = true;
  }

  /**
   * Ends the search because code did not yield to the event loop. Nothing more is played, because the same loop would begin again.
   * @param seconds how long it ran
   */
  endLoop(seconds: number): void {
    const { running } = this.#options;
    const { what, isOfMerchant } = merchantWork.place ?? { what: "the exam", isOfMerchant: false };
    const { story } = running;
    if (story === undefined || !isOfMerchant) {
      this.breakOff(`A loop of ${what} ran for ${seconds} seconds without an end.`);
      return;
    }
    this.breakOff(`A loop of the merchant's program was ended, ${what}.`);
    story.course.neverRests = true;
    story.seen.endless.push(
      `The merchant's program did not yield for ${seconds} seconds of real time, ${what}. A loop in it never ends.`,
    );
    running.process?.end();
    const outcome = outcomeOf(story);
    for (const law of this.#options.laws) {
      const breach = this.#breachOf(law, outcome);
      if (breach !== undefined) this.#note(law, breach, outcome);
    }
  }

  /** Returns the verdict on what was played so far. */
  soFar(): Verdict {
    const failures = [...this.#broken.values()].map(failureOf).toSorted(shortestFirst);
    const { warnings, off, seed } = this.#options;
    const facts: VerdictFacts = {
      failures: failures.filter(({ law }) => !warnings.has(law)),
      warnings: failures.filter(({ law }) => warnings.has(law)),
      stories: this.#stories,
      left: this.#left,
      endedEarly: [...this.#endedEarly],
      seed,
      unjudged: Object.fromEntries([...this.#unjudged].filter(([law]) => !this.#judged.has(law))),
      leftOut: this.#leftOut,
      off,
      onlyWarn: [...warnings],
      missingActs: missingActs(this.#options),
      coverage: this.#tried.coverage,
      digest: this.#digest,
    };
    const ofMerchant = merchantWork.milliseconds - this.#began.ofMerchant;
    return new Verdict(facts, paceOf(this.#stories, realTime() - this.#began.at, ofMerchant));
  }

  async #search(): Promise<void> {
    const { acts, seed, shard } = this.#options;
    const hasAct = (act: string): boolean => acts[act as ActName] !== undefined;
    const flows = flowsOf(this.#options);
    this.#left = { flows: flows.length, stories: 0 };
    const learned = await this.#learn(flows);
    for (const flow of learned) this.#tried.expect(possibleTroubles(flow, hasAct));
    this.#left = { flows: flows.length - learned.length, stories: 0 };
    if (learned.length < flows.length) return;
    const { index, of } = this.#team;
    // Shard 3/20 plays the stories whose number is 2 modulo 20, and each thread plays its share of them.
    const [own, all] = [index * shard.of + shard.index - 1, of * shard.of];
    const { firstRound, stories } = planOf(learned, seed, hasAct);
    const ofFirstRound = placesOf(stories(), firstRound);
    const isLeft = (place: number): boolean => place % all === own && ofFirstRound.has(place);
    this.#left = { flows: 0, stories: [...ofFirstRound].filter(isLeft).length };
    const lastOfFirstRound = Math.max(-1, ...ofFirstRound);
    let place = 0;
    for (const story of stories()) {
      this.#number = flows.length + place;
      if (this.#isOver(place <= lastOfFirstRound)) return;
      this.#number += 1;
      if (place % all === own) await this.#play(story);
      if (isLeft(place)) this.#left = { flows: 0, stories: this.#left.stories - 1 };
      place += 1;
    }
  }

  /**
   * Plays this thread's part of the flows without trouble, and returns what all threads learned: fewer than all flows if the search is
   * over. Every shard plays the flows, but only the first judges and counts them, so that the counts of all shards add up.
   */
  async #learn(flows: readonly Flow[]): Promise<readonly LearnedFlow[]> {
    const { index, of, share } = this.#team;
    const learned: LearnedFlow[] = [];
    for (const [place, flow] of flows.entries()) {
      if (place % of !== index) continue;
      this.#number = place;
      // The first story is always played, because it shows whether the merchant can be examined at all.
      if (place > 0 && this.#isOver(true)) break;
      this.#number += 1;
      const outcome = await runStory(this.#options, { flow, troubles: [] });
      if (place === 0) refuseUnexaminable(outcome);
      refuseOtherOrigin(outcome);
      if (this.#options.shard.index === 1) await this.#judge(outcome);
      const { points, openAfter } = outcome.evidence.seen;
      learned.push({ flow, points: [...points, { kind: "story", subject: "", occurrence: 1 }], open: openAfter });
    }
    const byName = new Map((await share(learned)).map((each) => [each.flow.name, each]));
    return flows.flatMap(({ name }) => byName.get(name) ?? []);
  }

  /** A story whose troubles did not all happen proves nothing. */
  async #replay({ flow: name, steps, ...story }: NonNullable<ReadOptions["replay"]>): Promise<void> {
    const flow = flowsOf(this.#options).find((each) => each.name === name);
    if (flow === undefined) {
      throw new CentavoError(
        "INVALID_OPTION",
        `exam: the story of the option replay has the flow "${name}", which needs an act that is not given. Not given: ${missingActs(this.#options).join(", ")}.`,
      );
    }
    const played = steps === undefined ? flow : { ...flow, steps: flow.steps.slice(0, steps), played: steps };
    this.#number = 1;
    const outcome = await this.#play({ ...story, flow: played });
    refuseUnexaminable(outcome);
    refuseOtherOrigin(outcome);
    this.#digest = outcome.digest;
    for (const [index, { point, trouble }] of story.troubles.entries())
      if (outcome.struck[index] !== true)
        this.#endedEarly.add(
          `The trouble ${trouble.name} did not happen, because the merchant does not come to its place, ${nameOfPoint(point)}.`,
        );
  }

  /** @param isInFirstRound whether stories of the first round are left to play */
  #isOver(isInFirstRound: boolean): boolean {
    const { stories, failures, takesFirstRound } = this.#options.budget;
    const isPlayed = this.#number >= stories && !(takesFirstRound && isInFirstRound);
    const isSpent = isPlayed || this.#failed.length >= failures || realTime() > this.#endsAt;
    return isSpent || this.#isBrokenOff || this.#watch.isStopped?.() === true;
  }

  get #failed(): readonly string[] {
    return [...this.#broken.keys()].filter((law) => !this.#options.warnings.has(law));
  }

  async #play(story: Story): Promise<Outcome> {
    const outcome = await runStory(this.#options, story);
    await this.#judge(outcome);
    return outcome;
  }

  async #judge(outcome: Outcome): Promise<void> {
    this.#stories += 1;
    this.#unitsOfStock ??= await this.#learnStock(outcome);
    this.#digest = withStory(this.#digest, this.#number, outcome.digest);
    this.#tried.add(outcome.story, outcome.struck, outcome.entries());
    for (const law of this.#options.laws) {
      const breach = this.#breachOf(law, outcome);
      if (breach !== undefined) await this.#broke(law, breach, outcome);
    }
    this.#watch.onStory?.(this.#stories, this.#failed, outcome);
  }

  /** Returns how much stock one fulfilment takes, learned from the simplest story, which a search plays first. */
  async #learnStock(outcome: Outcome): Promise<Evidence["unitsOfStock"]> {
    if (outcome.evidence.seen.readings.every(({ books }) => books.stock === undefined)) return {};
    const [simplest = outcome.story.flow] = flowsOf(this.#options);
    const isSimplest = outcome.story.flow.name === simplest.name && outcome.story.troubles.length === 0;
    const learned = isSimplest ? outcome : await runStory(this.#options, { flow: simplest, troubles: [] });
    const { readings } = learned.evidence.seen;
    const first = readings[0]?.books.stock ?? {};
    const { stock: last = {}, orders = [] } = readings.at(-1)?.books ?? {};
    // An order that was fulfilled twice by mistake counts once.
    const fulfilled = orders.reduce((sum, { fulfilments }) => sum + Math.min(1, fulfilments), 0);
    const unitOf = (taken: number): number => (fulfilled === 0 ? 0 : taken / fulfilled);
    return Object.fromEntries(Object.entries(first).map(([item, count]) => [item, unitOf(count - (last[item] ?? 0))]));
  }

  #breachOf(law: Law, { evidence }: Outcome): Breach | undefined {
    // A law about the end cannot judge a story that was broken off.
    if (evidence.seen.neverRests && law.holds === "in the end") return undefined;
    const facts = { ...evidence, unitsOfStock: this.#unitsOfStock ?? {} };
    merchantWork.place = { what: `the law ${law.name}`, isOfMerchant: false };
    const why = law.unjudged?.(facts);
    if (why !== undefined) {
      if (!this.#unjudged.has(law.name)) this.#unjudged.set(law.name, why);
      return undefined;
    }
    this.#judged.add(law.name);
    const leftOut = law.leavesOut?.(facts);
    if (leftOut !== undefined) this.#leftOut = joinLeftOut([this.#leftOut, { [law.name]: leftOut }]);
    return firstBreach(law, facts);
  }

  async #broke(law: Law, breach: Breach, outcome: Outcome): Promise<void> {
    const { story } = outcome;
    const number = this.#number;
    const known = this.#broken.get(law.name)?.reasons;
    const reason = reasonOf(story.flow.name, story.troubles);
    const isTold = known !== undefined && (known.size >= MOST_REASONS || known.has(reason));
    let shortest = { breach, outcome };
    if (!isTold && this.#options.replay === undefined)
      await shorten(story, async (candidate) => {
        const played = await runStory(this.#options, candidate);
        const again = this.#breachOf(law, played);
        if (again !== undefined) shortest = { breach: again, outcome: played };
        return again !== undefined;
      });
    this.#note(law, shortest.breach, shortest.outcome, number);
  }

  /** Notes that a story broke a law. */
  #note(law: Law, breach: Breach, outcome: Outcome, number = this.#number): void {
    const broken: Broken = this.#broken.get(law.name) ?? { law, count: 0, reasons: new Map() };
    this.#broken.set(law.name, broken);
    broken.count += 1;
    const { flow, troubles } = outcome.story;
    const reason = reasonOf(flow.name, troubles);
    if (broken.reasons.size < MOST_REASONS && !broken.reasons.has(reason))
      broken.reasons.set(reason, { breach, outcome, number });
  }
}

/** @throws {CentavoError} `INVALID_OPTION` when a law of the merchant's own throws, or returns something else than breaches */
function firstBreach(law: Law, facts: Evidence): Breach | undefined {
  let breaches: unknown;
  try {
    breaches = law.breaches(facts);
  } catch (error) {
    throw new CentavoError("INVALID_OPTION", `exam: the law ${law.name} threw: ${messageOf(error)}`, { cause: error });
  }
  const isRight = Array.isArray(breaches) && breaches.every((each: unknown) => isBreach(each));
  if (isRight) return (breaches as readonly Breach[])[0];
  throw new CentavoError(
    "INVALID_OPTION",
    `exam: breaches of the law ${law.name} returned ${inWords(breaches)}. It has to return a list of breaches, such as [{ what: "order-1 is lost" }], or an empty one.`,
  );
}

function isBreach(value: unknown): boolean {
  return typeof value === "object" && value !== null && "what" in value && typeof value.what === "string";
}

/** Returns the places of the first round in the order of the search. */
function placesOf(stories: Iterable<Story>, firstRound: ReadonlySet<PlacedTrouble>): ReadonlySet<number> {
  const ahead = new Set(firstRound);
  const places = new Set<number>();
  let place = 0;
  for (const { troubles } of stories) {
    if (ahead.size === 0) break;
    const [placed, ...others] = troubles;
    if (others.length === 0 && placed !== undefined && ahead.delete(placed)) places.add(place);
    place += 1;
  }
  return places;
}

function failureOf({ law, count, reasons }: Broken): Failure {
  const told = [...reasons.values()]
    .map(({ breach, outcome, number }): OtherStory => ({
      number,
      story: storyInWords(outcome, breach),
      what: withoutSecrets(breach.what),
      token: tokenOf(outcome.story),
      digest: outcome.digest,
      timeline: outcome.timeline(breach.id),
    }))
    .toSorted(shortestFirst);
  const [first, ...others] = told as [OtherStory, ...OtherStory[]];
  const { name, sentence, misunderstanding, remedy } = law;
  return {
    ...first,
    law: name,
    sentence,
    ...(misunderstanding === undefined ? {} : { misunderstanding }),
    remedy,
    ...(laws.some((each) => each === law) ? { docs: `docs/guide/laws.md#${name}` } : {}),
    count,
    others,
  };
}

/** Includes the last customer only if the breach is about them. */
function storyInWords({ evidence: { seen } }: Outcome, { id }: Breach): readonly string[] {
  const isAboutLast = id !== undefined && id === seen.lastCustomer?.id;
  return isAboutLast ? [...seen.told, ...seen.toldOfLast] : seen.told;
}
