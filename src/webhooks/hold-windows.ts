import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import type { Biting } from "../faults/faults.ts";
import type { Delivery } from "./delivery-queues.ts";

/** A fault that holds events back for a while and lets them go together. */
export type WindowFault = Biting<"webhook.reorder" | "webhook.burst" | "webhook.interleave">;

/** An event that a fault disturbs, with all that is sent because of it. */
export interface DisturbedEvent {
  readonly event: string;
  readonly merchantId: string;
  readonly sendings: readonly LaterSending[];
}

/** What is sent some time after the event is let go. */
export interface LaterSending extends Delivery {
  /** Names it among all that is sent of one event. */
  readonly name: string;
  /** In milliseconds. */
  readonly after: number;
}

interface Window {
  readonly fault: string;
  readonly order: "kept" | "reversed" | "shuffled" | "alternating";
  readonly until: number;
  readonly held: readonly DisturbedEvent[];
  /** Which of the held goes at each turn; absent until the first goes. */
  readonly turns?: readonly number[];
  readonly released: number;
}

const OWNER = "webhook-window";

/**
 * Events that faults hold back until the end of a window, then to go in another order. Each has a timer of its own there, so that
 * many at once are not taken for a loop.
 */
export class Windows {
  readonly #engine: Engine;
  readonly #windows: Table<Window>;
  readonly #send: (sendings: readonly LaterSending[]) => void;

  constructor(engine: Engine, send: (sendings: readonly LaterSending[]) => void) {
    this.#engine = engine;
    this.#windows = engine.table("webhook-windows");
    this.#send = send;
    engine.onTimer(OWNER, ({ subject }) => this.#release(subject));
  }

  /**
   * Holds an event back until the end of the fault's window, which the first one opens.
   * @returns the window's end, in milliseconds since 1970
   */
  hold(fault: WindowFault, event: DisturbedEvent): number {
    const engine = this.#engine;
    const name = nameOf(fault);
    const { order, until, held, turns, released, ...window } = this.#open(name) ?? opened(fault, engine.now);
    this.#windows.set(name, {
      ...window,
      order,
      until,
      released,
      held: [...held, event],
      // One that comes while the others are already going is the last to go.
      ...(turns === undefined ? {} : { turns: [...turns, held.length] }),
    });
    engine.schedule(OWNER, name, String(held.length), until, { type: "release" });
    return until;
  }

  #open(name: string): Window | undefined {
    const window = this.#windows.get(name);
    return window !== undefined && window.released < window.held.length ? window : undefined;
  }

  #release(name: string): void {
    const window = this.#open(name);
    if (window === undefined) return;
    const { fault, held, released } = window;
    const turns = window.turns ?? this.#arrange(window);
    if (window.turns === undefined) {
      const events = turns.map((turn) => held[turn]?.event);
      this.#engine.note("fault", { act: "release", id: fault, events });
    }
    const isLast = released + 1 === held.length;
    this.#windows.set(
      name,
      isLast ? { ...window, held: [], turns: [], released: 0 } : { ...window, turns, released: released + 1 },
    );
    this.#send(held[turns[released] as number]?.sendings ?? []);
  }

  #arrange({ fault, order, held }: Window): number[] {
    const turns = Array.from(held, (_, index) => index);
    if (order === "reversed") return turns.toReversed();
    if (order === "alternating") return alternating(turns, ({ merchantId }) => merchantId, held);
    if (order === "shuffled") this.#shuffle(turns, `fault/${fault}`);
    return turns;
  }

  #shuffle(turns: number[], stream: string): void {
    for (let last = turns.length - 1; last > 0; last -= 1) {
      const chosen = this.#engine.random.below(stream, last + 1);
      [turns[last], turns[chosen]] = [turns[chosen] as number, turns[last] as number];
    }
  }
}

/** A fault that was taken away may still hold events when another gets its id. */
function nameOf({ id, number }: WindowFault): string {
  return `${id}/${number}`;
}

function opened(fault: WindowFault, now: number): Window {
  return {
    fault: fault.id,
    order: orderOf(fault),
    until: now + durationMilliseconds(fault.within),
    held: [],
    released: 0,
  };
}

function orderOf(fault: WindowFault): Window["order"] {
  if (fault.kind === "webhook.burst") return "kept";
  return fault.kind === "webhook.interleave" ? "alternating" : (fault.order ?? "reversed");
}

/** One of each group in turn, each group in its own order. */
function alternating(
  turns: readonly number[],
  groupOf: (held: DisturbedEvent) => string,
  held: readonly DisturbedEvent[],
) {
  const groups = [...Map.groupBy(turns, (turn) => groupOf(held[turn] as DisturbedEvent)).values()];
  const longest = Math.max(...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
