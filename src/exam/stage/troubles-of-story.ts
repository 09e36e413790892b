import type { AddedFault } from "../../kit/faults/handles.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { PlacedTrouble, Point, Story } from "../story.ts";
import type { Plan } from "../troubles/trouble.ts";
import { troubleOf } from "../troubles/troubles.ts";
import type { Observations } from "./observations.ts";

/** Lets the troubles of one story happen, each at its point, and tells those that have struck. */
export class TroublesOfStory {
  /** The troubles that have happened. */
  readonly struck = new Set<PlacedTrouble>();
  readonly #troubles: readonly PlacedTrouble[];
  readonly #sim: Simulator;
  readonly #seen: Observations;
  /** The customers at whose acts the troubles happen, by name. */
  readonly #customers = new Map<PlacedTrouble, string>();
  readonly #planted: { readonly placed: PlacedTrouble; readonly fault: AddedFault }[] = [];

  constructor({ troubles }: Story, sim: Simulator, seen: Observations) {
    this.#troubles = troubles;
    this.#sim = sim;
    this.#seen = seen;
  }

  /** Lets happen what happens from the beginning, and plans the faults of events, because the service counts its events itself. */
  begin(): void {
    for (const placed of this.#troubles) {
      const { kind, subject, occurrence } = placed.point;
      if (kind === "event" && troubleOf(kind, placed.trouble)?.plan.does === "fault")
        this.happens(placed, { event: subject, after: occurrence - 1 - this.#seen.passed(kind, subject) });
      if (kind === "story") this.happens(placed);
    }
  }

  /** Notes that the story passes a point, and returns what goes wrong there. A fault of the service is planned at once. */
  passes(kind: Point["kind"], subject: string): readonly Plan[] {
    return this.at(this.#seen.passes(kind, subject)).flatMap((placed) => this.happens(placed) ?? []);
  }

  /** Returns the troubles of the story at a point. */
  at({ kind, subject, occurrence }: Point): readonly PlacedTrouble[] {
    if (this.#seen.lastCustomer !== undefined) return [];
    return this.#troubles.filter(
      ({ point }) => point.kind === kind && point.subject === subject && point.occurrence === occurrence,
    );
  }

  /**
   * Lets a trouble happen, and returns what is left to do. A fault of the service happens when it strikes.
   * @param customer the name of the customer at whose act it happens
   */
  happens(placed: PlacedTrouble, fields: object = {}, customer?: string): Plan | undefined {
    if (customer !== undefined) this.#customers.set(placed, customer);
    const plan = troubleOf(placed.point.kind, placed.trouble)?.plan;
    if (plan?.does === "fault") {
      const fault = { times: 1, ...plan.fault, ...fields } as Parameters<Simulator["faults"]["add"]>[0];
      this.#planted.push({ placed, fault: this.#sim.faults.add(fault) });
      // What lasts until all heals has no end afterwards.
      if (!this.#seen.isHealed) for (const also of plan.also ?? []) this.#sim.faults.add(also as typeof fault);
      return undefined;
    }
    this.#tell(placed);
    return plan;
  }

  /** Takes back the faults that were planned for a call, once it has ended: they are not meant for the next call of the route. */
  callEnded(placed: readonly PlacedTrouble[]): void {
    this.tellStruck();
    for (const planted of this.#planted) if (placed.includes(planted.placed)) planted.fault.remove();
  }

  /** Tells of the faults that have struck since the last time. */
  tellStruck(): void {
    for (const { placed, fault } of this.#planted) if (fault.hits > 0) this.#tell(placed);
  }

  /** Tells of a trouble, once. */
  #tell(placed: PlacedTrouble): void {
    if (this.struck.has(placed)) return;
    if (this.struck.size === 0) this.#seen.troubleAfter = this.#sim.journal.length;
    this.struck.add(placed);
    const trouble = troubleOf(placed.point.kind, placed.trouble);
    if (trouble !== undefined)
      this.#seen.tell(trouble.sentence(placed.point, this.#customers.get(placed) ?? "the customer"));
  }
}
