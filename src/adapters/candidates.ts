import { once } from "../kit/base/runtime/once.ts";
import type { Service } from "../kit/http/callable-service.ts";

/** Something that belongs to a world, such as a call that began in it. */
export interface Candidate {
  readonly service: Service;
}

/** Returns the candidates whose world issued one of these texts. */
export function knowing<Found extends Candidate>(candidates: readonly Found[], texts: readonly string[]): Found[] {
  return candidates.filter(
    ({ service: { identity } }) => identity !== undefined && texts.some((text) => identity.knows(text)),
  );
}

/** Returns the candidates whose world issued one of these texts, or all when none did. */
export function narrowed<Found extends Candidate>(
  candidates: readonly Found[],
  texts: readonly string[],
): readonly Found[] {
  if (candidates.length === 1) return candidates;
  const known = knowing(candidates, texts);
  return known.length === 0 ? candidates : known;
}

/** Created on demand, because Intl loads data that few tests use. */
const list = once(() => new Intl.ListFormat("en"));

/** Returns the names of the candidates' worlds for a message. */
export function namesOf(candidates: readonly Candidate[]): string {
  return list().format(candidates.map(({ service }) => service.identity?.name ?? service.baseUrl));
}
