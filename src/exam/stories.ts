import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { nameOfPoint } from "./story.ts";
import type { ActStep, Flow, PlacedTrouble, Point, Story } from "./story.ts";
import { inOrder, inTurns } from "./iterables.ts";
import { isMaking, isWriting } from "./routes.ts";
import { droppedEvent, renamedEvent } from "./troubles/events.ts";
import { backButton } from "./troubles/second-tries.ts";
import { troubles } from "./troubles/troubles.ts";
import type { Trouble } from "./troubles/trouble.ts";
import { overlap } from "./troubles/whole-story.ts";

/** A flow, and the points that it passed without trouble. */
export interface LearnedFlow {
  readonly flow: Flow;
  readonly points: readonly Point[];
  /** The points after which the customer could pay, or the service waited for the customer, by name. */
  readonly open: ReadonlySet<string>;
}

/** Something that can go wrong in one flow. */
interface Chance {
  readonly flow: Flow;
  readonly placed: PlacedTrouble;
  /** The kind of trouble and place, without the flow. Even a short search tries each kind once before it repeats any. */
  readonly kind: string;
  /** Like `kind`, but similar places share a family. */
  readonly family: string;
  /**
   * The loss of the last event that the act at this place leads to; undefined when there is no such event, or when this
   * trouble is that loss.
   */
  readonly loss: PlacedTrouble | undefined;
  /** The second try of the customer whose act led here; undefined where no customer would try again. */
  readonly secondTry: PlacedTrouble | undefined;
}

/** How many writes of a flow count as separate places. */
const WRITES_APART = 8;
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
 * @param hasAct whether the merchant gave an act
 */
export function planOf(learned: readonly LearnedFlow[], seed: number | string, hasAct: (act: string) => boolean): Plan {
  const chances = learned.map((flow) => chancesOf(flow, hasAct));
  const all = chances.flat();
  const rounds = roundsOf([...all.filter((chance) => !isPaidAfterwards(chance)), ...all.filter(isPaidAfterwards)]);
  const firstRound = new Set(rounds[0]?.map(({ placed }) => placed));
  return { firstRound, stories: () => storiesOf(learned, seed, chances, rounds) };
}

/**
 * Yields every story with trouble, in the order of the search. Stories with one trouble come first, and among them the flows with the
 * fewest points: each trouble at each family of places, and the likeliest ones at each kind of place. Then the remaining single troubles
 * alternate with pairs: a customer in doubt who tries again, a flow whose last event is lost, a likely trouble while an event is lost; then
 * flows whose last event comes twice or overlaps with other things; then any two troubles. The order depends only on the learned flows and
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

/** The first writes of a flow are kinds of their own, because a crash at each leaves the store in another state. */
function kindOf({ kind, subject, occurrence }: Point): string {
  return kind === "write" && occurrence <= WRITES_APART ? `${kind} ${occurrence}` : `${kind} ${subject}`;
}

/** Whether the customer acts again after a place. */
function isFollowed(points: readonly Point[], point: Point): boolean {
  return points.slice(points.indexOf(point) + 1).some(({ kind }) => kind === "act");
}

/** Groups similar points: calls that read, calls that create, calls that change, and events about one kind of object. */
function familyOf(point: Point): string {
  const { kind, subject } = point;
  if (kind === "event") return `${kind} ${subject.split(".", 1).join()}`;
  if (kind !== "call" || subject === "oauth.token") return kindOf(point);
  return `${kind} ${isMaking(subject) ? "make" : isWriting(subject) ? "change" : "read"}`;
}

/** Loses the last event that the act at a place leads to, or else the last event of the flow. */
function lossAfter(points: readonly Point[], point: Point): PlacedTrouble | undefined {
  const place = points.indexOf(point);
  const next = points.findIndex(({ kind }, index) => index > place && kind === "act");
  const isEvent = ({ kind }: Point): boolean => kind === "event";
  const last = points.slice(Math.max(place, 0), next === -1 ? undefined : next).findLast(isEvent);
  const lost = last ?? points.findLast(isEvent);
  return lost === undefined || lost === point ? undefined : { point: lost, trouble: droppedEvent };
}

/** Makes the customer repeat the act that led to a place. */
function secondTry(points: readonly Point[], place: Point): PlacedTrouble | undefined {
  const act = points.slice(0, points.indexOf(place) + 1).findLast(({ kind }) => kind === "act");
  return act && { point: act, trouble: backButton };
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
  return { flow, troubles: [placed], ...(placed.point.kind === "story" ? { schedule } : {}) };
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
      drawn.set(`${nameOfPoint(chance.placed.point)} ${chance.placed.trouble.name}`, chance);
    }
    const placed = [...drawn.values()].map((chance) => chance.placed);
    yield { flow: (flow[0] as Chance).flow, troubles: placed, schedule: uniformInt(random, 1, SCHEDULES) };
  }
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
