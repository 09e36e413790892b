import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { nameOfPoint } from "./story.ts";
import type { Flow, PlacedTrouble, Point, Story } from "./story.ts";
import { isVariant, troubles } from "./troubles/troubles.ts";
import type { Trouble } from "./troubles/trouble.ts";

/** A flow, and the points that it passed when nothing went wrong. */
export interface LearnedFlow {
  readonly flow: Flow;
  readonly points: readonly Point[];
  /** The points after which the service waited for the customer to pay, by name. */
  readonly open: ReadonlySet<string>;
}

/** What can go wrong in one flow. */
interface Chance {
  readonly flow: Flow;
  readonly placed: PlacedTrouble;
  /** The kind of trouble and place, without the flow: what a short search tries once before it tries anything twice. */
  readonly kind: string;
  readonly isVariant: boolean;
}

/** How many writes of a flow are told apart. */
const WRITES_APART = 8;
/** The largest seed of a schedule. */
const SCHEDULES = 2 ** 30;

/**
 * Returns every story with trouble, in the order of the search: with one trouble, then with two, then with up to four of chance. The order
 * depends on the learned flows and the seed alone.
 * @param hasAct whether the merchant gave an act
 */
export function* storiesOf(
  learned: readonly LearnedFlow[],
  seed: number | string,
  hasAct: (act: string) => boolean,
): Generator<Story, void, void> {
  const chances = learned.map((flow) => chancesOf(flow, hasAct));
  yield* singles(chances);
  const random = xoroshiro128plus(numberOf(seed));
  yield* pairs(chances, random);
  yield* ofChance(chances, random);
}

/** Returns everything that can go wrong in a flow. */
export function possibleTroubles(learned: LearnedFlow, hasAct: (act: string) => boolean): readonly PlacedTrouble[] {
  return chancesOf(learned, hasAct).map(({ placed }) => placed);
}

function chancesOf({ flow, points, open }: LearnedFlow, hasAct: (act: string) => boolean): readonly Chance[] {
  return troubles.flatMap((trouble) => {
    if ("act" in trouble.plan && !hasAct(trouble.plan.act)) return [];
    return points
      .filter((point) => fits(trouble, point, open))
      .map((point) => ({
        flow,
        placed: { point, trouble: trouble.name },
        kind: kindOf(trouble, point),
        isVariant: isVariant(trouble),
      }));
  });
}

function fits(trouble: Trouble, point: Point, open: ReadonlySet<string>): boolean {
  if (point.kind !== trouble.at || trouble.fits?.(point) === false) return false;
  return trouble.needsOpenPayment !== true || open.has(nameOfPoint(point));
}

/** The first writes of a flow are kinds of their own, because each stands between other things. */
function kindOf({ name }: Trouble, { kind, subject, occurrence }: Point): string {
  const place = kind === "write" && occurrence <= WRITES_APART ? ` ${occurrence}` : "";
  return `${name} at ${kind} ${subject}${place}`;
}

/**
 * One trouble in each story. Each kind of trouble comes first at each kind of place, in the simplest flow that passes it; then each comes in
 * the next flow, and so on. So a short search has tried everything once.
 */
function* singles(chances: readonly (readonly Chance[])[]): Generator<Story, void, void> {
  const rounds: Chance[][] = [];
  const met = new Map<string, number>();
  for (const chance of chances.flat()) {
    const round = met.get(chance.kind) ?? 0;
    met.set(chance.kind, round + 1);
    (rounds[round] ??= []).push(chance);
  }
  for (const [round, each] of rounds.entries()) {
    for (const { flow, placed } of each.toSorted((one, other) => Number(one.isVariant) - Number(other.isVariant)))
      yield { flow, troubles: [placed], ...(placed.point.kind === "story" ? { schedule: round + 1 } : {}) };
  }
}

/** Two troubles in each story, of which every flow takes its turn. */
function* pairs(chances: readonly (readonly Chance[])[], random: RandomGenerator): Generator<Story, void, void> {
  const shuffled = chances.map((each) => shuffle(each, random));
  const longest = Math.max(0, ...shuffled.map(({ length }) => length));
  for (let apart = 1; apart < longest; apart += 1) {
    for (let first = 0; first < longest; first += 1) {
      for (const each of shuffled) {
        const [one, other] = [each[first], each[(first + apart) % each.length]];
        // The other half of the pairs are the same two troubles the other way round.
        if (one === undefined || other === undefined || apart > each.length / 2) continue;
        if (
          nameOfPoint(one.placed.point) === nameOfPoint(other.placed.point) &&
          one.placed.trouble === other.placed.trouble
        )
          continue;
        yield { flow: one.flow, troubles: [one.placed, other.placed], schedule: uniformInt(random, 1, SCHEDULES) };
      }
    }
  }
}

/** Up to four troubles in each story, those that were tried least first. */
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
      drawn.set(`${nameOfPoint(chance.placed.point)} ${chance.placed.trouble}`, chance);
    }
    const placed = [...drawn.values()].map((chance) => chance.placed);
    yield { flow: (flow[0] as Chance).flow, troubles: placed, schedule: uniformInt(random, 1, SCHEDULES) };
  }
}

/** Draws a few, and returns the one that was tried least. */
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
