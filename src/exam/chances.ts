import { droppedEvent } from "../troubles/events.ts";
import { nameOfPoint } from "../troubles/point.ts";
import type { Point } from "../troubles/point.ts";
import { isMaking, isWriting } from "../troubles/routes.ts";
import type { IsPossible } from "./possible-troubles.ts";
import { isCrowd } from "./story.ts";
import type { Flow, PlacedTrouble } from "./story.ts";
import { backButton } from "./troubles/second-tries.ts";
import { troubles } from "./troubles/troubles.ts";
import type { Trouble } from "./troubles/trouble.ts";

/** A flow, and the points that it passed without trouble. */
export interface LearnedFlow {
  readonly flow: Flow;
  readonly points: readonly Point[];
  /** The points after which the customer could pay, or the service waited for the customer, by name. */
  readonly open: ReadonlySet<string>;
  /** What acts have read of the values that customers choose, such as `order amount`. */
  readonly reads: ReadonlySet<string>;
}

/** Something that can go wrong in one flow. */
export interface Chance {
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

/** Returns everything that can go wrong in a flow. */
export function possibleTroubles(learned: LearnedFlow, isPossible: IsPossible): readonly PlacedTrouble[] {
  return chancesOf(learned, isPossible).map(({ placed }) => placed);
}

/** Returns everything that can go wrong in a flow, with what belongs to it. */
export function chancesOf({ flow, points, open, reads }: LearnedFlow, isPossible: IsPossible): readonly Chance[] {
  const places = points.map((point) => ({ point, loss: lossAfter(points, point), again: secondTry(points, point) }));
  return troubles.filter(isPossible).flatMap((trouble) => {
    const fitting = places.filter(({ point }) => fits(trouble, point, { flow, points, open, reads }));
    return fitting.map(({ point, loss, again }) => ({
      flow,
      placed: { point, trouble },
      kind: `${trouble.name} at ${kindOf(point)}${trouble.isLate === true && isFollowed(points, point) ? ", before another act" : ""}${inFlow(trouble, flow)}`,
      family: `${trouble.name} at ${familyOf(point)}${inFlow(trouble, flow)}`,
      loss,
      secondTry: trouble.leavesInDoubt === true && isWriting(point.subject) ? again : undefined,
    }));
  });
}

function fits(trouble: Trouble, point: Point, { flow, points, open, reads }: LearnedFlow): boolean {
  if (point.kind !== trouble.at || trouble.fits?.(point) === false) return false;
  if (trouble.needsNeighbours === true && !hasNeighbours(point, flow)) return false;
  if (trouble.needsRead !== undefined && !reads.has(`${point.subject} ${trouble.needsRead}`)) return false;
  if (trouble.needsAnotherAct === true && !isFollowed(points, point)) return false;
  if (trouble.needsOpenPayment !== true) return true;
  return point.kind === "story" ? open.size > 0 : open.has(nameOfPoint(point));
}

/** The first writes of a flow are kinds of their own, because a crash at each leaves the store in another state. */
function kindOf({ kind, subject, occurrence }: Point): string {
  return kind === "write" && occurrence <= WRITES_APART ? `${kind} ${occurrence}` : `${kind} ${subject}`;
}

/** Some troubles show other things in another kind of flow: a moment in a flow that goes on for months, lost events among many customers. */
function inFlow({ at, begins, order, differsByAct }: Trouble, { steps }: Flow): string {
  if (begins !== undefined) return steps.some(({ kind }) => kind === "renewal") ? ", with renewals" : "";
  if (differsByAct !== true) return at === "story" && order === "likely" && steps.some(isCrowd) ? ", with a crowd" : "";
  const [first] = steps;
  return first === undefined || !("act" in first) ? ", with other steps" : `, with ${first.act}`;
}

/** Whether this is no trouble but the moment at which a story begins. */
export function isMoment({ trouble }: PlacedTrouble): boolean {
  return trouble.begins !== undefined;
}

/** Whether the customer acts again after a place. */
function isFollowed(points: readonly Point[], point: Point): boolean {
  return points.slice(points.indexOf(point) + 1).some(({ kind }) => kind === "act");
}

/** Whether the customer of an act is neither the first nor the last of a crowd. */
function hasNeighbours({ occurrence }: Point, { steps }: Flow): boolean {
  const [first] = steps;
  return first?.kind === "together" && occurrence > 1 && occurrence < first.steps.length;
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
