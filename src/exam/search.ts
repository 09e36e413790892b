import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { nextMacrotask, realTime } from "../kit/base/runtime/real-time.ts";
import { Findings } from "./findings.ts";
import { placesOf } from "./first-round.ts";
import { flowsOf, missingActs } from "./flows.ts";
import { Judge } from "./judge.ts";
import type { Law } from "./laws/law.ts";
import { paceOf } from "./pace.ts";
import type { ReadOptions } from "./read-options.ts";
import { WaitedTooLong } from "./real-waits.ts";
import { outcomeOf, runStory, whatDidNotHappen } from "./run-story.ts";
import type { Outcome } from "./run-story.ts";
import { shorten } from "./shorten.ts";
import { merchantWork } from "../merchant/process/merchant-work.ts";
import { planOf } from "./stories.ts";
import { possibleTroubles } from "./chances.ts";
import { possibleFor } from "./possible-troubles.ts";
import type { LearnedFlow } from "./chances.ts";
import { learnStock } from "./stock.ts";
import { NO_STORIES, withStory } from "./stories-digest.ts";
import type { Flow, Story } from "./story.ts";
import { ALONE } from "./team.ts";
import type { Team } from "./team.ts";
import { Tried } from "./tried.ts";
import { refuseSetUp } from "./refuse-set-up.ts";
import { refuseOtherOrigin, refuseUnexaminable, refuseUnreadable } from "./refuse-unexaminable.ts";
import { Unexaminable } from "./unexaminable.ts";
import { Verdict } from "./verdict.ts";
import type { Left, VerdictFacts } from "./verdict.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** What watches a search from outside. */
export interface SearchWatch {
  /** Called before each story. Returns whether to stop the search and judge what was found. */
  readonly isStopped?: () => boolean;
  /** Called before the first story, with the options and a way to see what the search has found so far. */
  readonly onBegin?: (options: ReadOptions, soFar: () => Verdict) => void;
  /** Called before each story. */
  readonly onPlay?: (story: Story) => void;
  /** Called before the story of a broken law is shortened. The law already counts. */
  readonly onShorten?: () => void;
  /** Called after each story, with the number played, the names of the laws that failed so far, and the outcome. */
  readonly onStory?: (stories: number, failed: readonly string[], outcome: Outcome) => void;
}

/** Plays stories, the shortest first, and judges each of them. */
export class Search {
  readonly #options: ReadOptions;
  readonly #findings = new Findings();
  readonly #judge = new Judge();
  readonly #tried: Tried;
  readonly #endedEarly = new Set<string>();
  readonly #began = { at: realTime(), ofMerchant: merchantWork.milliseconds };
  readonly #endsAt: number;
  #isBrokenOff = false;
  #left: Left = { flows: 0, stories: 0 };
  readonly #watch: SearchWatch;
  readonly #team: Team;
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
      // What was found counts, whatever ended the search, unless the merchant cannot be judged at all.
      if (error instanceof Unexaminable || (!(error instanceof WaitedTooLong) && this.#failed.length === 0))
        throw error;
      this.breakOff(withoutSecrets(messageOf(error)));
    }
    return this.soFar();
  }

  /** Ends what the search has begun, such as the merchant's database. */
  async close(end: () => Promise<void>): Promise<void> {
    try {
      await this.#options.running.story?.close();
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
   * @param hasWorked whether it took time of the processor. Code that only waits, such as for a lock of a database, breaks no law
   */
  endLoop(seconds: number, hasWorked: boolean): void {
    const { running } = this.#options;
    const { what, isOfMerchant } = merchantWork.place ?? { what: "the exam", isOfMerchant: false };
    const { story } = running;
    if (story !== undefined) story.course.neverRests = true;
    running.process?.end();
    if (!hasWorked) {
      const who = isOfMerchant ? `The merchant's program waited, ${what}` : `The exam waited for ${what}`;
      this.breakOff(`${who}, and did not yield to the event loop.`);
      return;
    }
    if (story === undefined || !isOfMerchant) {
      this.breakOff(`A loop of ${what} ran for ${seconds} seconds without an end.`);
      return;
    }
    this.breakOff(`A loop of the merchant's program was ended, ${what}.`);
    story.seen.endless.push(
      `The merchant's program did not yield for ${seconds} seconds of real time, ${what}. A loop in it never ends.`,
    );
    const outcome = outcomeOf(story);
    for (const law of this.#options.laws) {
      const breach = this.#judge.breachOf(law, outcome);
      if (breach !== undefined) this.#findings.add({ law, breach, outcome, number: this.#number });
    }
  }

  /** Returns the verdict on what was played so far. */
  soFar(): Verdict {
    const { failures } = this.#findings;
    const { warnings, off, seed } = this.#options;
    const facts: VerdictFacts = {
      failures: failures.filter(({ law }) => !warnings.has(law)),
      warnings: failures.filter(({ law }) => warnings.has(law)),
      stories: this.#stories,
      left: this.#left,
      endedEarly: [...this.#endedEarly],
      seed,
      ...this.#judge.facts,
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
    const { seed, shard } = this.#options;
    const isPossible = possibleFor(this.#options);
    const flows = flowsOf(this.#options);
    this.#left = { flows: flows.length, stories: 0 };
    const learned = await this.#learn(flows);
    for (const flow of learned) this.#tried.expect(possibleTroubles(flow, isPossible));
    this.#left = { flows: flows.length - learned.length, stories: 0 };
    if (learned.length < flows.length) return;
    const { index, of } = this.#team;
    // Shard 3/20 plays the stories whose number is 2 modulo 20, and each thread plays its share of them.
    const [own, all] = [index * shard.of + shard.index - 1, of * shard.of];
    const { firstRound, stories } = planOf(learned, seed, isPossible);
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
      const outcome = await this.#run({ flow, troubles: [] });
      if (place === 0) refuseUnexaminable(outcome);
      refuseOtherOrigin(outcome);
      refuseSetUp(outcome, flows, this.#options);
      if (this.#options.shard.index === 1) await this.#judgeStory(outcome);
      const { points, openAfter: open, reads } = outcome.evidence.seen;
      learned.push({ flow, points: [...points, { kind: "story", subject: "", occurrence: 1 }], open, reads });
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
    for (const why of whatDidNotHappen(outcome)) this.#endedEarly.add(why);
  }

  /** @param isInFirstRound whether stories of the first round are left to play */
  #isOver(isInFirstRound: boolean): boolean {
    const { stories, failures, takesFirstRound } = this.#options.budget;
    const isPlayed = this.#number >= stories && !(takesFirstRound && isInFirstRound);
    const isSpent = isPlayed || this.#failed.length >= failures || realTime() > this.#endsAt;
    return isSpent || this.#isBrokenOff || this.#watch.isStopped?.() === true;
  }

  get #failed(): readonly string[] {
    return this.#findings.laws.filter((law) => !this.#options.warnings.has(law));
  }

  async #play(story: Story): Promise<Outcome> {
    // A customer who takes what is left has to know how much one order takes.
    if (story.troubles.some(({ trouble }) => trouble.needsRead === "quantity")) await this.#learnStock(story);
    const outcome = await this.#run(story);
    await this.#judgeStory(outcome);
    return outcome;
  }

  async #judgeStory(outcome: Outcome): Promise<void> {
    refuseUnreadable(outcome);
    this.#stories += 1;
    await this.#learnStock(outcome.story, outcome);
    this.#digest = withStory(this.#digest, this.#number, outcome.digest);
    this.#tried.add(outcome.story, outcome.struck, outcome.entries());
    for (const law of this.#options.laws) {
      const breach = this.#judge.breachOf(law, outcome);
      if (breach === undefined) continue;
      const isTold = this.#findings.isTold(law, outcome.story);
      this.#findings.add({ law, breach, outcome, number: this.#number });
      if (!isTold && this.#options.replay === undefined) await this.#shorten(law, outcome.story);
    }
    this.#watch.onStory?.(this.#stories, this.#failed, outcome);
  }

  /** @param outcome what came of the story, if it was played */
  async #learnStock(story: Story, outcome?: Outcome): Promise<void> {
    if (this.#judge.unitsOfStock !== undefined) return;
    const flows = flowsOf(this.#options);
    const [simplest = story.flow] = flows;
    const first = outcome ?? (await this.#run({ flow: simplest, troubles: [] }));
    this.#judge.unitsOfStock = await learnStock(first, flows, (each) => this.#run(each));
    this.#options.running.unitsOfStock = this.#judge.unitsOfStock;
  }

  /** Looks for a shorter story that breaks the same law as the newest finding. */
  async #shorten(law: Law, story: Story): Promise<void> {
    this.#watch.onShorten?.();
    await shorten(story, async (candidate) => {
      const outcome = await this.#run(candidate);
      const breach = this.#judge.breachOf(law, outcome);
      if (breach !== undefined) this.#findings.shorten({ breach, outcome });
      return breach !== undefined;
    });
  }

  async #run(story: Story): Promise<Outcome> {
    // What a law has begun is not taken for work of the merchant.
    await nextMacrotask();
    if (this.#isBrokenOff) return abandoned();
    this.#watch.onPlay?.(story);
    const outcome = await runStory(this.#options, story);
    return this.#isBrokenOff ? abandoned() : outcome;
  }
}

/** A loop was ended. Whoever waits for the story in which it was is not waited for any more. */
function abandoned(): Promise<never> {
  return new Promise(() => undefined);
}
