import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { nameOfPoint } from "./story.ts";
import type { ActStep, Flow, PlacedTrouble, Point, Story } from "./story.ts";
import { isMaking, isWriting } from "./routes.ts";
import { droppedEvent, renamedEvent } from "./troubles/events.ts";
import { backButton } from "./troubles/second-tries.ts";
import { troubles } from "./troubles/troubles.ts";
import type { Trouble } from "./troubles/trouble.ts";
import { overlap } from "./troubles/whole-story.ts";

/** A flow, and the points that it passed when nothing went wrong. */
export interface LearnedFlow {
  readonly flow: Flow;
  readonly points: readonly Point[];
  /** The points that led the customer to pay, or after which the service waited for that, by name. */
  readonly open: ReadonlySet<string>;
}

/** What can go wrong in one flow. */
interface Chance {
  readonly flow: Flow;
  readonly placed: PlacedTrouble;
  /** The kind of trouble and place, without the flow. A short search tries each once before it tries any twice. */
  readonly kind: string;
  /** The same, with places that are much alike taken for one. */
  readonly family: string;
  /** The loss of the last event to which the act of this place leads; undefined when it leads to none, or this is that loss. */
  readonly loss: PlacedTrouble | undefined;
  /** The customer's second try of the act that led here; undefined where no customer would try again. */
  readonly secondTry: PlacedTrouble | undefined;
}

/** How many writes of a flow are told apart. */
const WRITES_APART = 8;
/** The largest seed of a schedule. */
const SCHEDULES = 2 ** 30;

/**
 * Returns every story with trouble, in the order of the search. Stories with one trouble come first, those of the flows that pass fewest
 * points before the others: each trouble at each family of places, and the likeliest ones at each kind of place. Then the others with one
 * trouble take turns with stories of two. First of those come customers in doubt who try again, flows whose last event is lost, and likely
 * troubles while an event is lost; then flows whose last event comes twice or overlaps with other things; then any two troubles. The order
 * depends on the learned flows and the seed alone.
 * @param hasAct whether the merchant gave an act
 */
export function* storiesOf(
  learned: readonly LearnedFlow[],
  seed: number | string,
  hasAct: (act: string) => boolean,
): Generator<Story, void, void> {
  const chances = learned.map((flow) => chancesOf(flow, hasAct));
  const all = chances.flat();
  const rounds = roundsOf([...all.filter((chance) => !isPaidAfterwards(chance)), ...all.filter(isPaidAfterwards)]);
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
  const [lost, twice, overlapping] = [endings(droppedEvent), endings(renamedEvent), endings(overlap)];
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

/** Returns everything that can go wrong in a flow. */
export function possibleTroubles(learned: LearnedFlow, hasAct: (act: string) => boolean): readonly PlacedTrouble[] {
  return chancesOf(learned, hasAct).map(({ placed }) => placed);
}

function chancesOf({ flow, points, open }: LearnedFlow, hasAct: (act: string) => boolean): readonly Chance[] {
  const places = points.map((point) => ({ point, loss: lossAfter(points, point), again: secondTry(points, point) }));
  return troubles.flatMap((trouble) => {
    if (trouble.needsAct !== undefined && !hasAct(trouble.needsAct)) return [];
    const fitting = places.filter(({ point }) => fits(trouble, point, { points, open }));
    return fitting.map(({ point, loss, again }) => ({
      flow,
      placed: { point, trouble },
      kind: `${trouble.name} at ${kindOf(point)}${trouble.isLate === true && isFollowed(points, point) ? ", before another act" : ""}`,
      family: `${trouble.name} at ${familyOf(point)}`,
      loss,
      secondTry: trouble.leavesInDoubt === true && isWriting(point.subject) ? again : undefined,
    }));
  });
}

function fits(trouble: Trouble, point: Point, { points, open }: Pick<LearnedFlow, "points" | "open">): boolean {
  if (point.kind !== trouble.at || trouble.fits?.(point) === false) return false;
  if (trouble.needsAnotherAct === true && !isFollowed(points, point)) return false;
  return trouble.needsOpenPayment !== true || open.has(nameOfPoint(point));
}

/** The first writes of a flow are kinds of their own, because each stands between other things. */
function kindOf({ kind, subject, occurrence }: Point): string {
  return kind === "write" && occurrence <= WRITES_APART ? `${kind} ${occurrence}` : `${kind} ${subject}`;
}

/** Whether the customer acts once more after a place. */
function isFollowed(points: readonly Point[], point: Point): boolean {
  return points.slice(points.indexOf(point) + 1).some(({ kind }) => kind === "act");
}

/** Calls that read are much alike, and so are those that make something, those that change it, and events about one kind of object. */
function familyOf(point: Point): string {
  const { kind, subject } = point;
  if (kind === "event") return `${kind} ${subject.split(".", 1).join()}`;
  if (kind !== "call" || subject === "oauth.token") return kindOf(point);
  return `${kind} ${isMaking(subject) ? "make" : isWriting(subject) ? "change" : "read"}`;
}

/** Loses the last event to which the act of a place leads, or else the last of the flow. */
function lossAfter(points: readonly Point[], point: Point): PlacedTrouble | undefined {
  const place = points.indexOf(point);
  const next = points.findIndex(({ kind }, index) => index > place && kind === "act");
  const isEvent = ({ kind }: Point): boolean => kind === "event";
  const last = points.slice(Math.max(place, 0), next === -1 ? undefined : next).findLast(isEvent);
  const lost = last ?? points.findLast(isEvent);
  return lost === undefined || lost === point ? undefined : { point: lost, trouble: droppedEvent };
}

/** Lets the customer do again what led to a place. */
function secondTry(points: readonly Point[], place: Point): PlacedTrouble | undefined {
  const act = points.slice(0, points.indexOf(place) + 1).findLast(({ kind }) => kind === "act");
  return act && { point: act, trouble: backButton };
}

/**
 * Whether an attack comes before the customer pays after all. It shows less than an attack on an order that stays unpaid, because a
 * merchant who acts on the forgery later is then right.
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

/** Each kind of trouble and place is in each round once, in the simplest flow that passes it and has not had its turn. */
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

/** Returns what a short search begins with: what is likeliest at each kind of place, and the rest once for places that are much alike. */
function firstOf(round: readonly Chance[]): readonly Chance[] {
  const ofFamily = new Map<string, Chance>();
  for (const chance of round) {
    const { flow, family, placed } = chance;
    const known = ofFamily.get(family);
    // Of the events of a flow, more depends on the last than on those before it.
    if (known === undefined || (placed.point.kind === "event" && known.flow === flow)) ofFamily.set(family, chance);
  }
  return round.filter((chance) => isLikely(chance) || (ofFamily.get(chance.family) === chance && !isVariant(chance)));
}

function single({ flow, placed }: Pick<Chance, "flow" | "placed">, schedule = 1): Story {
  return { flow, troubles: [placed], ...(placed.point.kind === "story" ? { schedule } : {}) };
}

/** One trouble in each story, in rounds. What is much like another trouble comes last in its round. */
function* singles(rounds: readonly (readonly Chance[])[], played: ReadonlySet<Chance>): Generator<Story, void, void> {
  for (const [round, each] of rounds.entries()) {
    const left = each.filter((chance) => !played.has(chance));
    for (const chance of left.toSorted((one, other) => Number(isVariant(one)) - Number(isVariant(other))))
      yield single(chance, round + 1);
  }
}

/** Troubles that leave a customer in doubt, with the customer's second try. */
function* withSecondTries(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances)
    if (chance.secondTry !== undefined) yield { ...single(chance), troubles: [chance.placed, chance.secondTry] };
}

/** Troubles together with the loss of the event that would tell of them: then the merchant has to ask. */
function* withLosses(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances)
    if (chance.loss !== undefined) yield { ...single(chance), troubles: [chance.placed, chance.loss] };
}

function* alone(chances: readonly Chance[]): Generator<Story, void, void> {
  for (const chance of chances) yield single(chance);
}

function* inOrder<Each>(...generators: readonly Iterable<Each>[]): Generator<Each, void, void> {
  for (const generator of generators) yield* generator;
}

/** Takes one of each in turn, as long as there are any. */
function* inTurns<Each>(...generators: readonly Generator<Each, void, void>[]): Generator<Each, void, void> {
  let left = generators;
  while (left.length > 0) {
    const ended = new Set<Generator<Each, void, void>>();
    for (const generator of left) {
      const { done, value } = generator.next();
      if (done === true) ended.add(generator);
      else yield value;
    }
    left = left.filter((generator) => !ended.has(generator));
  }
}

/** Two troubles in each story. The flows take turns. */
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
      drawn.set(`${nameOfPoint(chance.placed.point)} ${chance.placed.trouble.name}`, chance);
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
