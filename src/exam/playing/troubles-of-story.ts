import type { AddedFault } from "../../kit/faults/handles.ts";
import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { IsPossible } from "../possible-troubles.ts";
import type { Point } from "../../troubles/point.ts";
import { LONGEST_OUTAGE } from "../../troubles/trouble.ts";
import type { PlannedFault } from "../../troubles/trouble.ts";
import { faultInForce } from "../../troubles/values-in-force.ts";
import type { ValuesOfTroubles } from "../../troubles/values-in-force.ts";
import type { Trouble } from "../troubles/trouble.ts";
import { beginningOf } from "../story.ts";
import type { PlacedTrouble, Story } from "../story.ts";
import type { Observations } from "./observations.ts";

/** Makes the troubles of one story strike at their points, and tells those that have struck. */
export class TroublesOfStory {
  readonly struck = new Set<PlacedTrouble>();
  readonly #troubles: readonly PlacedTrouble[];
  readonly #sim: Simulator;
  readonly #seen: Observations;
  /** The name of the customer whose act each trouble strikes. */
  readonly #customers = new Map<PlacedTrouble, string>();
  /** When the last of those faults ends for which the story goes on, in milliseconds since 1970. */
  endsAt = -Infinity;
  readonly #planted: { readonly placed: PlacedTrouble; readonly fault: AddedFault; readonly lasts: boolean }[] = [];

  /** @param isPossible whether a trouble can strike the merchant. What cannot does not */
  constructor({ troubles }: Story, sim: Simulator, seen: Observations, isPossible: IsPossible) {
    this.#troubles = troubles.filter(({ trouble }) => isPossible(trouble));
    this.#sim = sim;
    this.#seen = seen;
  }

  /** Starts the troubles that last from the beginning, and plans the faults of events: the service counts its events itself. */
  begin(): void {
    const begins = beginningOf({ troubles: this.#troubles });
    for (const placed of this.#troubles) {
      const { kind, subject, occurrence } = placed.point;
      if (placed.trouble.begins !== undefined && placed.trouble.begins !== begins) continue;
      if (kind === "event" && placed.trouble.fault !== undefined)
        this.happens(placed, { event: subject, after: occurrence - 1 });
      if (kind === "story") this.happens(placed);
    }
  }

  /** The troubles that strike the story as a whole. */
  get ofWholeStory(): readonly Trouble[] {
    return this.#troubles.flatMap(({ trouble }) => (trouble.at === "story" ? [trouble] : []));
  }

  at({ kind, subject, occurrence }: Point): readonly PlacedTrouble[] {
    if (this.#seen.lastCustomer !== undefined) return [];
    return this.#troubles.filter(
      ({ point }) => point.kind === kind && point.subject === subject && point.occurrence === occurrence,
    );
  }

  /**
   * Makes a trouble strike. A fault of the service is only planned here.
   * @param where limits the fault, such as to a route
   * @param customer the name of the customer whose act it strikes
   */
  happens(placed: PlacedTrouble, where: object = {}, customer?: string): void {
    if (customer !== undefined) this.#customers.set(placed, customer);
    const { fault, lasting = [], lasts } = placed.trouble;
    if (fault === undefined) {
      this.#tell(placed);
      return;
    }
    this.#planted.push({ placed, fault: this.#plan({ times: 1, ...fault, ...where }), lasts: false });
    // They may strike where the first one had no chance to, such as after a call that is refused.
    for (const each of this.lasts(lasting, lasts)) this.#planted.push({ placed, fault: each, lasts: true });
  }

  /**
   * Makes faults last.
   * @param duration how long they last exactly, such as `1 hour`. By default, it is `LONGEST_OUTAGE` at most, and the story does not wait for their end
   */
  lasts(faults: readonly PlannedFault[], duration?: string): readonly AddedFault[] {
    // Nothing would end a lasting fault that begins after all faults have ended.
    if (this.#seen.isHealed) return [];
    const end = this.#sim.internals.parts.engine.now + durationMilliseconds(duration ?? LONGEST_OUTAGE);
    if (duration !== undefined) this.endsAt = Math.max(this.endsAt, end);
    return faults.map((each) => this.#plan({ ...each, until: toTimestamp(end) }));
  }

  #plan(fault: PlannedFault): AddedFault {
    const inForce: object = faultInForce(fault, this.#values);
    return this.#sim.faults.add(inForce as Parameters<Simulator["faults"]["add"]>[0]);
  }

  /** Removes the faults planned for a call once it has ended, so that they do not strike the next call of the route. */
  callEnded(placed: readonly PlacedTrouble[]): void {
    this.tellStruck();
    for (const { placed: each, fault, lasts } of this.#planted) if (placed.includes(each) && !lasts) fault.remove();
  }

  /** Tells the faults that have struck since the last call. */
  tellStruck(): void {
    for (const { placed, fault } of this.#planted) if (fault.hits > 0) this.#tell(placed, this.#whenItStruck(fault));
  }

  #whenItStruck({ id }: AddedFault): number | undefined {
    const { entries } = this.#sim.internals.parts.engine.journal;
    return entries.find(({ kind, details }) => kind === "fault" && details.act === "strike" && details.id === id)?.at;
  }

  get #values(): ValuesOfTroubles {
    return this.#sim.internals.parts.assumptions.overrides;
  }

  /** Tells a trouble once, however often it strikes. */
  #tell(placed: PlacedTrouble, at?: number): void {
    if (this.struck.has(placed)) return;
    const { begins, needsRead } = placed.trouble;
    if (begins === undefined && needsRead === undefined) this.#seen.troubleAfter ??= this.#sim.journal.length;
    this.struck.add(placed);
    this.#seen.tell(
      placed.trouble.sentence(placed.point, this.#customers.get(placed) ?? "the customer", this.#values),
      at,
    );
  }
}
