import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { CentavoError } from "../errors/centavo-error.ts";
import { messageOf } from "../errors/thrown-values.ts";
import { realTime } from "../runtime/real-time.ts";
import type { Evidence } from "./evidence.ts";
import { flowsOf, missingActs } from "./flows.ts";
import type { Breach, Law } from "./laws/law.ts";
import type { ReadOptions } from "./read-options.ts";
import { runStory } from "./run-story.ts";
import type { Outcome } from "./run-story.ts";
import { shorten } from "./shorten.ts";
import { storiesOf } from "./stories.ts";
import type { LearnedFlow } from "./stories.ts";
import type { Story } from "./story.ts";
import { tokenOf } from "./token.ts";
import { Tried } from "./tried.ts";
import { Verdict } from "./verdict.ts";
import type { Failure } from "./verdict.ts";

/** How many reasons of one law are told. */
const MOST_REASONS = 8;

/** The stories that broke one law. */
interface Broken {
  readonly law: Law;
  count: number;
  /** The shortest story of each reason, by the troubles that it takes. */
  readonly reasons: Map<string, { readonly breach: Breach; readonly outcome: Outcome; readonly number: number }>;
}

/** Plays stories, the shortest first, and judges each. */
export class Search {
  readonly #options: ReadOptions;
  readonly #broken = new Map<string, Broken>();
  readonly #tried = new Tried();
  readonly #judged = new Set<string>();
  readonly #unjudged = new Map<string, string>();
  readonly #leftOut = new Map<string, string>();
  readonly #endsAt: number;
  #unitsOfStock: Evidence["unitsOfStock"] | undefined;
  #stories = 0;
  #digest = "";

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#endsAt = realTime() + options.budget.milliseconds;
  }

  async verdict(): Promise<Verdict> {
    const { replay } = this.#options;
    if (replay === undefined) await this.#search();
    else await this.#replay(replay);
    const failures = [...this.#broken.values()].map(failureOf);
    const { warnings, off, seed } = this.#options;
    return new Verdict({
      failures: failures.filter(({ law }) => !warnings.has(law)),
      warnings: failures.filter(({ law }) => warnings.has(law)),
      stories: this.#stories,
      seed,
      unjudged: Object.fromEntries([
        ...[...this.#unjudged].filter(([law]) => !this.#judged.has(law)),
        ...this.#leftOut,
      ]),
      off,
      missingActs: missingActs(this.#options),
      coverage: this.#tried.coverage,
      digest: this.#digest,
    });
  }

  async #search(): Promise<void> {
    const { acts, seed, shard } = this.#options;
    const learned: LearnedFlow[] = [];
    for (const flow of flowsOf(this.#options)) {
      if (this.#isOver) return;
      const { evidence } = await this.#play({ flow, troubles: [] });
      const { points, openAfter } = evidence.seen;
      learned.push({ flow, points: [...points, { kind: "story", subject: "", occurrence: 1 }], open: openAfter });
    }
    let number = 0;
    for (const story of storiesOf(learned, seed, (act) => act in acts)) {
      if (this.#isOver) return;
      if (number % shard.of === shard.index - 1) await this.#play(story);
      number += 1;
    }
  }

  async #replay({ flow: name, steps, ...story }: NonNullable<ReadOptions["replay"]>): Promise<void> {
    const flow = flowsOf(this.#options).find((each) => each.name === name);
    if (flow === undefined) return;
    const played = steps === undefined ? flow : { ...flow, steps: flow.steps.slice(0, steps), played: steps };
    await this.#play({ ...story, flow: played });
  }

  get #isOver(): boolean {
    const { stories, failures } = this.#options.budget;
    return this.#stories >= stories || this.#failed >= failures || realTime() > this.#endsAt;
  }

  get #failed(): number {
    return [...this.#broken.keys()].filter((law) => !this.#options.warnings.has(law)).length;
  }

  async #play(story: Story): Promise<Outcome> {
    const outcome = await runStory(this.#options, story);
    this.#stories += 1;
    if (this.#stories === 1) refuseUnreadable(outcome);
    this.#unitsOfStock ??= await this.#learnStock(outcome);
    this.#digest = bytesToHex(sha256(utf8ToBytes(this.#digest + outcome.digest)));
    this.#tried.add(story, outcome.struck, outcome.entries());
    for (const law of this.#options.laws) {
      const breach = this.#breachOf(law, outcome);
      if (breach !== undefined) await this.#broke(law, breach, outcome);
    }
    return outcome;
  }

  /** Returns how much of the stock one fulfilment takes, learned from the simplest story, which is the first of a search. */
  async #learnStock(outcome: Outcome): Promise<Evidence["unitsOfStock"]> {
    if (outcome.evidence.seen.readings.every(({ books }) => books.stock === undefined)) return {};
    const [simplest = outcome.story.flow] = flowsOf(this.#options);
    const isSimplest = outcome.story.flow.name === simplest.name && outcome.story.troubles.length === 0;
    const learned = isSimplest ? outcome : await runStory(this.#options, { flow: simplest, troubles: [] });
    const { readings } = learned.evidence.seen;
    const first = readings[0]?.books.stock ?? {};
    const { stock: last = {}, orders = [] } = readings.at(-1)?.books ?? {};
    const fulfilled = orders.reduce((sum, { fulfilments }) => sum + fulfilments, 0);
    const unitOf = (taken: number): number => (fulfilled === 0 ? 0 : taken / fulfilled);
    return Object.fromEntries(Object.entries(first).map(([item, count]) => [item, unitOf(count - (last[item] ?? 0))]));
  }

  #breachOf(law: Law, { evidence }: Outcome): Breach | undefined {
    const facts = { ...evidence, unitsOfStock: this.#unitsOfStock ?? {} };
    const why = law.unjudged?.(facts);
    if (why !== undefined) {
      this.#unjudged.set(law.name, why);
      return undefined;
    }
    this.#judged.add(law.name);
    const leftOut = law.leavesOut?.(facts);
    if (leftOut !== undefined) this.#leftOut.set(law.name, leftOut);
    return law.breaches(facts)[0];
  }

  async #broke(law: Law, breach: Breach, outcome: Outcome): Promise<void> {
    const known = this.#broken.get(law.name);
    const broken = known ?? { law, count: 0, reasons: new Map() };
    this.#broken.set(law.name, broken);
    broken.count += 1;
    const number = this.#stories;
    const { story } = outcome;
    if (broken.reasons.size >= MOST_REASONS || broken.reasons.has(reasonOf(story))) return;
    let shortest = { breach, outcome };
    await shorten(story, async (candidate) => {
      const played = await runStory(this.#options, candidate);
      const again = this.#breachOf(law, played);
      if (again !== undefined) shortest = { breach: again, outcome: played };
      return again !== undefined;
    });
    const reason = reasonOf(shortest.outcome.story);
    if (!broken.reasons.has(reason)) broken.reasons.set(reason, { ...shortest, number });
  }
}

/**
 * Refuses books that cannot be read although nothing is wrong yet.
 * @throws {CentavoError} `INVALID_OPTION`, with what `books` threw as its cause
 */
function refuseUnreadable({ evidence: { seen } }: Outcome): void {
  if (seen.unreadable !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: books threw when nothing was wrong yet: ${messageOf(seen.unreadable)}`,
      { cause: seen.unreadable },
    );
  const facts = seen.readings.flatMap(({ books }) => Object.keys(books));
  if (facts.length === 0)
    throw new CentavoError(
      "INVALID_OPTION",
      "exam: books returned nothing that a law could judge. Return { orders }, { memberships } or both.",
    );
}

/** Stories with the same kinds of trouble break a law for the same reason. */
function reasonOf({ flow, troubles }: Story): string {
  if (troubles.length === 0) return `flow ${flow.name}`;
  return troubles
    .map(({ trouble, point }) => `${trouble} at ${point.kind}`)
    .toSorted()
    .join(" and ");
}

function failureOf({ law, count, reasons }: Broken): Failure {
  const told = [...reasons.values()].toSorted(
    (one, other) => lengthOf(one.outcome) - lengthOf(other.outcome) || one.number - other.number,
  );
  const [first, ...others] = told as [(typeof told)[number], ...typeof told];
  const { breach, outcome, number } = first;
  return {
    law: law.name,
    sentence: law.sentence,
    what: breach.what,
    story: outcome.evidence.seen.told,
    remedy: law.remedy,
    docs: `docs/guide/laws.md#${law.name}`,
    token: tokenOf(outcome.story),
    digest: outcome.digest,
    timeline: outcome.timeline(),
    number,
    count,
    others: others.map((other) => ({
      story: other.outcome.evidence.seen.told,
      what: other.breach.what,
      token: tokenOf(other.outcome.story),
    })),
  };
}

function lengthOf({ evidence }: Outcome): number {
  return evidence.seen.told.length;
}
