import type { Breach, Law } from "./laws/law.ts";
import { laws } from "./laws/laws.ts";
import { MOST_REASONS, reasonOf, shortestFirst } from "./reason.ts";
import type { Outcome } from "./run-story.ts";
import type { Story } from "./story.ts";
import { tokenOf } from "./token.ts";
import type { Failure, OtherStory } from "./verdict.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** A law that a story broke. */
export interface Finding {
  readonly law: Law;
  readonly breach: Breach;
  readonly outcome: Outcome;
  /** The number of the story that first showed it. */
  readonly number: number;
}

interface Broken {
  readonly law: Law;
  readonly count: number;
  /** The shortest story for each reason, by the troubles that it needs. */
  readonly reasons: ReadonlyMap<string, Finding>;
}

/** The laws that a search found broken. */
export class Findings {
  #others: ReadonlyMap<string, Broken> = new Map();
  /** Counts at once, whatever ends the search, although its story may still become shorter. */
  #newest: Finding | undefined;

  /** The names of the broken laws. */
  get laws(): readonly string[] {
    return [...this.#broken.keys()];
  }

  get failures(): readonly Failure[] {
    return [...this.#broken.values()].map(failureOf).toSorted(shortestFirst);
  }

  /** Whether a story like this one is told already, or enough others are. */
  isTold(law: Law, { flow, troubles }: Story): boolean {
    const known = this.#broken.get(law.name)?.reasons;
    return known !== undefined && (known.size >= MOST_REASONS || known.has(reasonOf(flow.name, troubles)));
  }

  add(finding: Finding): void {
    this.#others = this.#broken;
    this.#newest = finding;
  }

  /** Replaces the story of the newest finding by a shorter one. */
  shorten(shorter: Pick<Finding, "breach" | "outcome">): void {
    if (this.#newest !== undefined) this.#newest = { ...this.#newest, ...shorter };
  }

  get #broken(): ReadonlyMap<string, Broken> {
    if (this.#newest === undefined) return this.#others;
    const { law, outcome } = this.#newest;
    const { count, reasons }: Broken = this.#others.get(law.name) ?? { law, count: 0, reasons: new Map() };
    const { flow, troubles } = outcome.story;
    const reason = reasonOf(flow.name, troubles);
    const isNew = reasons.size < MOST_REASONS && !reasons.has(reason);
    const broken = { law, count: count + 1, reasons: isNew ? new Map([...reasons, [reason, this.#newest]]) : reasons };
    return new Map([...this.#others, [law.name, broken]]);
  }
}

function failureOf({ law, count, reasons }: Broken): Failure {
  const told = [...reasons.values()].map((finding) => storyOf(finding)).toSorted(shortestFirst);
  const [first, ...others] = told as [OtherStory, ...OtherStory[]];
  const { name, sentence } = law;
  return {
    ...first,
    law: name,
    sentence,
    ...(laws.some((each) => each === law) ? { docs: `docs/guide/laws.md#${name}` } : {}),
    count,
    others,
  };
}

function storyOf({ law, breach, outcome, number }: Finding): OtherStory {
  const { misunderstanding = law.misunderstanding, remedy = law.remedy } = breach;
  return {
    number,
    story: storyInWords(outcome, breach),
    what: withoutSecrets(breach.what),
    ...(misunderstanding === undefined ? {} : { misunderstanding: withoutSecrets(misunderstanding) }),
    remedy: withoutSecrets(remedy),
    token: tokenOf(outcome.story),
    digest: outcome.digest,
    timeline: outcome.timeline(breach.id),
  };
}

/** Includes the last customer only if the breach is about them. */
function storyInWords({ evidence: { seen } }: Outcome, { id }: Breach): readonly string[] {
  const isAboutLast = id !== undefined && id === seen.lastCustomer?.id;
  return isAboutLast ? [...seen.told, ...seen.toldOfLast] : seen.told;
}
