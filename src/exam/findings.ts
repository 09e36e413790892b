import type { Breach, Law } from "./laws/law.ts";
import { laws } from "./laws/laws.ts";
import { MOST_REASONS, reasonOf, shortestFirst } from "./reason.ts";
import type { Outcome } from "./run-story.ts";
import type { Story } from "./story.ts";
import { tokenOf } from "./token.ts";
import type { Failure, OtherStory } from "./verdict.ts";
import { withoutSecrets } from "./without-secrets.ts";

interface Broken {
  readonly law: Law;
  count: number;
  /** The shortest story for each reason, by the troubles that it needs. */
  readonly reasons: Map<string, { readonly breach: Breach; readonly outcome: Outcome; readonly number: number }>;
}

/** The laws that a search found broken. */
export class Findings {
  readonly #broken = new Map<string, Broken>();

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

  /**
   * Notes that a story broke a law.
   * @param number the number of the story
   */
  note(law: Law, breach: Breach, outcome: Outcome, number: number): void {
    const broken: Broken = this.#broken.get(law.name) ?? { law, count: 0, reasons: new Map() };
    this.#broken.set(law.name, broken);
    broken.count += 1;
    const { flow, troubles } = outcome.story;
    const reason = reasonOf(flow.name, troubles);
    if (broken.reasons.size < MOST_REASONS && !broken.reasons.has(reason))
      broken.reasons.set(reason, { breach, outcome, number });
  }
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
