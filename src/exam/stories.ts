import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { chancesOf, isMoment } from "./chances.ts";
import type { Chance, LearnedFlow } from "./chances.ts";
import { nameOfPoint } from "../troubles/point.ts";
import type { ActStep, PlacedTrouble, Story } from "./story.ts";
import { inOrder, inTurns } from "./iterables.ts";
import type { IsPossible } from "./possible-troubles.ts";
import { droppedEvent, renamedEvent } from "../troubles/events.ts";
import { repeatedJobs, twoPrograms } from "./troubles/programs.ts";
import type { Trouble } from "./troubles/trouble.ts";
import { overlap } from "../troubles/whole-story.ts";

/** The largest seed of a schedule. */
const SCHEDULES = 2 ** 30;

/** What a search is going to play. */
export interface Plan {
  /** Each kind of trouble, once at each kind of place. A search is not finished before it has played each of them alone. */
  readonly firstRound: ReadonlySet<PlacedTrouble>;
  /** Returns every story with trouble, in the order of the search. It does not end. */
  readonly stories: () => Generator<Story, void, void>;
}

/**
 * Plans every story with trouble.
 * @param isPossible whether a trouble can strike the merchant
 */
export function planOf(learned: readonly LearnedFlow[], seed: number | string, isPossible: IsPossible): Plan {
  const chances = learned.map((flow) => chancesOf(flow, isPossible));
  const all = chances.flat();
  const rounds = roundsOf([...all.filter((chance) => !isPaidAfterwards(chance)), ...all.filter(isPaidAfterwards)]);
  const firstRound = new Set(rounds[0]?.map(({ placed }) => placed));
  return { firstRound, stories: () => storiesOf(learned, seed, chances, rounds) };
}

/**
 * Yields every story with trouble, in the order of the search. Stories with one trouble come first, and among them the flows with the
 * fewest points: each trouble at each family of places, and the likeliest ones at each kind of place. Then the remaining single troubles
 * alternate with pairs: a customer in doubt who tries again, a flow whose last event is lost, a likely trouble while an event is lost; then
 * flows whose last event comes twice, and flows in which things, programs or runs of a job overlap; then any two troubles. The order depends only on the learned flows and
 * the seed.
 */
function* storiesOf(
  learned: readonly LearnedFlow[],
  seed: number | string,
  chances: readonly (readonly Chance[])[],
  rounds: readonly (readonly Chance[])[],
): Generator<Story, void, void> {
  const shortest = learned.toSorted((one, other) => one.points.length - other.points.length).map(({ flow }) => flow);
  const first = firstOf(rounds[0] ?? []).toSorted(
    (one, other) => shortest.indexOf(one.flow) - shortest.indexOf(other.flow),
  );
  for (const chance of first) yield single(chance);
  const random = xoroshiro128plus(numberOf(seed));
  const endings = (trouble: Trouble): readonly Chance[] =>
    chances
      .flatMap((each) => each.findLast(({ placed }) => placed.trouble === trouble) ?? [])
      .filter((chance) => !first.includes(chance));
  const [lost, twice] = [endings(droppedEvent), endings(renamedEvent)];
  const overlapping = [overlap, twoPrograms, repeatedJobs].flatMap(endings);
  const likely = first.filter(isLikely);
  const ofCustomers = first.filter((chance) => !isLikely(chance) && chance.placed.point.kind === "act");
  yield* inTurns(
    singles(rounds, new Set([...first, ...lost, ...twice, ...overlapping])),
    inOrder(
      withSecondTries(first),
      inTurns(alone(lost), withLosses(likely)),
      inTurns(withLosses(ofCustomers), alone(twice), alone(overlapping)),
      inTurns(pairs(chances, random), ofChance(chances, random)),
    ),
  );
}

/**
 * Whether an attack comes before the customer pays after all. Such an attack shows less than one on an order that stays
 * unpaid, because a merchant who acts on the forgery is proved right later.
 */
function isPaidAfterwards({ flow, placed }: Chance): boolean {
  return placed.trouble.isAttack === true && !flow.steps.some((step) => step.kind === "act" && isLeft(step));
}

function isLikely({ placed }: Chance): boolean {
  return placed.trouble.order === "likely";
}

function isVariant({ placed }: Chance): boolean {
  return placed.trouble.order === "variant";
}

function isLeft({ pages }: ActStep): boolean {
  return pages?.challenge === "leave" || pages?.page === "leave";
}

/** Divides chances into rounds. Each kind of trouble and place is in each round once, in the simplest flow left that passes it. */
function roundsOf(chances: readonly Chance[]): readonly (readonly Chance[])[] {
  const rounds: Chance[][] = [];
  const met = new Map<string, number>();
  for (const chance of chances) {
    const round = met.get(chance.kind) ?? 0;
    met.set(chance.kind, round + 1);
    (rounds[round] ??= []).push(chance);
  }
  return rounds;
}

/** Returns what a short search begins with: the likeliest troubles at each kind of place, and the rest once for each family of places. */
function firstOf(round: readonly Chance[]): readonly Chance[] {
  const ofFamily = new Map<string, Chance>();
  for (const chance of round) {
    const { flow, family, placed } = chance;
    const known = ofFamily.get(family);
    // Among the events of a flow, the last one matters most.
    if (known === undefined || (placed.point.kind === "event" && known.flow === flow)) ofFamily.set(family, chance);
  }
  return round.filter((chance) => isLikely(chance) || (ofFamily.get(chance.family) === chance && !isVariant(chance)));
}

function single({ flow, placed }: Pick<Chance, "flow" | "placed">, schedule = 1): Story {
  return { flow, troubles: [placed], ...(placed.point.kind === "story" && !isMoment(placed) ? { schedule } : {}) };
}

/** Yields stories with one trouble, in rounds. Variants of another trouble come last in their round. */
function* singles(rounds: readonly (readonly Chance[])[], played: ReadonlySet<Chance>): Generator<Story, void, void> {
  for (const [round, each] of rounds.entries()) {
    const left = each.filter((chance) => !played.has(chance));
    for (const chance of left.toSorted((one, other) => Number(isVariant(one)) - Number(isVariant(other))))
      yield single(chance, round + 1);
  }
}

/** Yields troubles that leave a customer in doubt, together with the customer's second try. */
function* withSecondTries(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances)
    if (chance.secondTry !== undefined) yield { ...single(chance), troubles: [chance.placed, chance.secondTry] };
}

/** Yields troubles together with the loss of the event that would report them, so that the merchant has to ask. */
function* withLosses(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances)
    if (chance.loss !== undefined) yield { ...single(chance), troubles: [chance.placed, chance.loss] };
}

function* alone(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances) yield single(chance);
}

/** Yields stories with two troubles. The flows take turns. */
function* pairs(chances: readonly (readonly Chance[])[], random: RandomGenerator): Generator<Story, void, void> {
  const shuffled = chances.map((each) => shuffle(each, random));
  const longest = Math.max(0, ...shuffled.map(({ length }) => length));
  for (let apart = 1; apart < longest; apart += 1) {
    for (let first = 0; first < longest; first += 1) {
      for (const each of shuffled) {
        const [one, other] = [each[first], each[(first + apart) % each.length]];
        // The other half of the pairs are the same troubles in reverse order.
        if (one === undefined || other === undefined || apart > each.length / 2) continue;
        if (placeOf(one.placed) === placeOf(other.placed)) continue;
        yield { flow: one.flow, troubles: [one.placed, other.placed], schedule: uniformInt(random, 1, SCHEDULES) };
      }
    }
  }
}

/** Yields stories with up to four troubles, preferring those tried least. */
function* ofChance(chances: readonly (readonly Chance[])[], random: RandomGenerator): Generator<Story, void, void> {
  const all = chances.filter(({ length }) => length > 0);
  const tried = new Map<string, number>();
  while (all.length > 0) {
    const flow = all[uniformInt(random, 0, all.length - 1)] ?? [];
    const count = uniformInt(random, 1, 4);
    const drawn = new Map<string, Chance>();
    for (let draw = 0; draw < count; draw += 1) {
      const chance = leastTried(flow, tried, random);
      tried.set(chance.kind, (tried.get(chance.kind) ?? 0) + 1);
      drawn.set(placeOf(chance.placed), chance);
    }
    const placed = [...drawn.values()].map((chance) => chance.placed);
    yield { flow: (flow[0] as Chance).flow, troubles: placed, schedule: uniformInt(random, 1, SCHEDULES) };
  }
}

/** A story has each trouble once at each point, and begins only once. */
function placeOf(placed: PlacedTrouble): string {
  return isMoment(placed) ? "moment" : `${nameOfPoint(placed.point)} ${placed.trouble.name}`;
}

/** Draws a few chances, and returns the one tried least. */
function leastTried(flow: readonly Chance[], tried: ReadonlyMap<string, number>, random: RandomGenerator): Chance {
  const drawn = Array.from({ length: 3 }, () => flow[uniformInt(random, 0, flow.length - 1)] as Chance);
  return drawn.reduce((least, each) => ((tried.get(each.kind) ?? 0) < (tried.get(least.kind) ?? 0) ? each : least));
}

function shuffle<Member>(members: readonly Member[], random: RandomGenerator): readonly Member[] {
  const shuffled = [...members];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const chosen = uniformInt(random, 0, last);
    [shuffled[last], shuffled[chosen]] = [shuffled[chosen] as Member, shuffled[last] as Member];
  }
  return shuffled;
}

function numberOf(seed: number | string): number {
  let number = 0;
  for (const character of String(seed)) number = (Math.imul(number, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return number;
}
