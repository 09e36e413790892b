import { errorOf, eventOf, moveOf, ofResource } from "../report/coverage/happenings.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { flowNames } from "./flows.ts";
import type { PlacedTrouble, Story } from "./story.ts";

/** How often something was seen, by name. */
export type Counts = Readonly<Record<string, number>>;

/** What a search has tried, and which parts of the service it has seen. */
export interface TriedInExam {
  /** How often each flow of customers was played. */
  readonly flows: Counts;
  /** The flows that the given acts allow, but that the search did not reach. */
  readonly flowsNotPlayed: readonly string[];
  /** How often each trouble struck at each kind of place, such as `response.lost` at `call payment-intent.create`. */
  readonly troubles: Readonly<Record<string, Counts>>;
  /** The troubles that stories planned, but that never struck, by place. */
  readonly neverStruck: Readonly<Record<string, readonly string[]>>;
  /** The troubles that can strike, but that the search did not reach, by place. */
  readonly notTried: Readonly<Record<string, readonly string[]>>;
  /** The moves of the service's resources, such as `subscription: active → past_due`. */
  readonly moves: Counts;
  /** The types of event that were sent. */
  readonly events: Counts;
  /** How many of the events had no address to go to. */
  readonly eventsWithoutAddress: number;
  /** The errors that the service answered. */
  readonly errors: Counts;
}

export class Tried {
  readonly #flows: Map<string, number>;
  /** How often each possible trouble has struck; undefined until a story plans it. */
  readonly #troubles = new Map<string, Map<string, number | undefined>>();
  readonly #moves = new Map<string, number>();
  readonly #events = new Map<string, number>();
  #eventsWithoutAddress = 0;
  readonly #errors = new Map<string, number>();

  /** @param flows the names of the flows to play */
  constructor(flows: readonly string[]) {
    this.#flows = new Map(flows.map((name) => [name, 0]));
  }

  /** Adds what can go wrong. */
  expect(placed: Iterable<PlacedTrouble>): void {
    for (const { point, trouble } of placed) {
      const counts = this.#at(point);
      if (!counts.has(trouble.name)) counts.set(trouble.name, undefined);
    }
  }

  /** @param struck for each trouble of the story, whether it struck */
  add(
    { flow, troubles }: Story,
    struck: readonly boolean[],
    entries: readonly Pick<StoredEntry, "kind" | "details">[],
  ): void {
    count(this.#flows, flow.name);
    for (const [index, { point, trouble }] of troubles.entries()) {
      const counts = this.#at(point);
      counts.set(trouble.name, (counts.get(trouble.name) ?? 0) + (struck[index] === true ? 1 : 0));
    }
    for (const entry of entries) {
      const move = moveOf(entry);
      const event = eventOf(entry);
      const error = errorOf(entry);
      if (move !== undefined && move.from !== move.to)
        count(this.#moves, moveWithoutInput(move.resource, move.from, move.to));
      if (event !== undefined) count(this.#events, event);
      if (event !== undefined && entry.details["status"] === "no-receiver") this.#eventsWithoutAddress += 1;
      if (error !== undefined) count(this.#errors, error);
    }
  }

  get coverage(): TriedInExam {
    const those = (which: (times: number | undefined) => boolean): Record<string, string[]> =>
      Object.fromEntries(
        [...this.#troubles].flatMap(([place, counts]) => {
          const names = [...counts].filter(([, times]) => which(times)).map(([name]) => name);
          return names.length === 0 ? [] : [[place, names.toSorted()]];
        }),
      );
    return {
      flows: Object.fromEntries([...this.#flows].filter(([, times]) => times > 0)),
      flowsNotPlayed: [...this.#flows].filter(([, times]) => times === 0).map(([name]) => name),
      troubles: Object.fromEntries(
        [...this.#troubles].flatMap(([place, counts]) => {
          const struck = [...counts].filter(([, times = 0]) => times > 0);
          return struck.length === 0 ? [] : [[place, Object.fromEntries(struck) as Counts]];
        }),
      ),
      neverStruck: those((times) => times === 0),
      notTried: those((times) => times === undefined),
      moves: Object.fromEntries(this.#moves),
      events: Object.fromEntries(this.#events),
      eventsWithoutAddress: this.#eventsWithoutAddress,
      errors: Object.fromEntries(this.#errors),
    };
  }

  #at({ kind, subject }: PlacedTrouble["point"]): Map<string, number | undefined> {
    const place = subject === "" ? kind : `${kind} ${subject}`;
    const known = this.#troubles.get(place);
    if (known !== undefined) return known;
    const counts = new Map<string, number | undefined>();
    this.#troubles.set(place, counts);
    return counts;
  }
}

/** Names a move of a resource, or its creation if `from` is missing. */
export function moveWithoutInput(resource: string, from: string | undefined, to: string): string {
  return ofResource(resource, from === undefined ? to : `${from} → ${to}`);
}

/** Merges what the searches of several shards have tried. */
export function mergeCoverage(parts: readonly TriedInExam[]): TriedInExam {
  const flows = addCounts(parts.map((part) => part.flows));
  const places = new Map([...flowNames].map((name, place) => [name, place]));
  const inOrder = (names: Iterable<string>): readonly string[] =>
    [...names].toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  const troubles = new Map<string, Counts>();
  for (const [place, counts] of parts.flatMap((part) => Object.entries(part.troubles)))
    troubles.set(place, addCounts([troubles.get(place) ?? {}, counts]));
  const neverStruck = without(
    parts.map((part) => part.neverStruck),
    (place, name) => Object.hasOwn(troubles.get(place) ?? {}, name),
  );
  return {
    flows: Object.fromEntries(inOrder(Object.keys(flows)).map((name) => [name, flows[name] ?? 0])),
    flowsNotPlayed: inOrder(new Set(parts.flatMap((part) => part.flowsNotPlayed))).filter(
      (name) => !Object.hasOwn(flows, name),
    ),
    troubles: Object.fromEntries(troubles),
    neverStruck,
    notTried: without(
      parts.map((part) => part.notTried),
      (place, name) => Object.hasOwn(troubles.get(place) ?? {}, name) || neverStruck[place]?.includes(name) === true,
    ),
    moves: addCounts(parts.map(({ moves }) => moves)),
    events: addCounts(parts.map(({ events }) => events)),
    eventsWithoutAddress: parts.reduce((sum, part) => sum + part.eventsWithoutAddress, 0),
    errors: addCounts(parts.map(({ errors }) => errors)),
  };
}

/** Merges lists of troubles by place, without those that another shard has counted. */
function without(
  parts: readonly Readonly<Record<string, readonly string[]>>[],
  isKnown: (place: string, name: string) => boolean,
): Readonly<Record<string, readonly string[]>> {
  const places = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries(
    [...places].flatMap((place) => {
      const names = new Set(parts.flatMap((part) => part[place] ?? []).filter((name) => !isKnown(place, name)));
      return names.size === 0 ? [] : [[place, [...names].toSorted()] as const];
    }),
  );
}

function addCounts(parts: readonly Counts[]): Counts {
  const sums = new Map<string, number>();
  for (const [name, times] of parts.flatMap((part) => Object.entries(part)))
    sums.set(name, (sums.get(name) ?? 0) + times);
  return Object.fromEntries(sums);
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
