import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import { faultKind } from "../faults/declaration.ts";
import type { FiringFault } from "../faults/declaration.ts";
import { duration, oneOf } from "../faults/fields.ts";
import type { Delivery } from "./delivery-queues.ts";

/** A window of virtual time in which a fault holds events back, to let them go together. */
export interface HoldWindow {
  /** Names it among all windows of the world. */
  readonly name: string;
  /** The id of the fault. */
  readonly fault: string;
  /** In milliseconds, from the first event on. */
  readonly length: number;
  /** In which order the events go. */
  readonly order: "kept" | "reversed" | "shuffled" | "alternating";
}

const windowFault = faultKind<{ window?: HoldWindow }>();

/** How long events are held back, from the first on. */
const within = duration;

/** Faults that hold an event back together with others; the first that fires decides. */
export const windowFaults = [
  windowFault({
    kind: "webhook.reorder",
    fields: { within, order: oneOf(["reversed", "shuffled"]).optional() },
    effect(fault, held) {
      held.window = windowOf(fault, fault.order ?? "reversed");
    },
  }),
  windowFault({
    kind: "webhook.burst",
    fields: { within },
    effect(fault, held) {
      held.window = windowOf(fault, "kept");
    },
  }),
  windowFault({
    kind: "webhook.interleave",
    fields: { within },
    effect(fault, held) {
      held.window = windowOf(fault, "alternating");
    },
  }),
] as const;

function windowOf(
  { id, number, within: length }: FiringFault<string, { within: typeof within }>,
  order: HoldWindow["order"],
): HoldWindow {
  // A fault that was removed may still hold events when another gets its id.
  return { name: `${id}/${number}`, fault: id, length: durationMilliseconds(length), order };
}

/** An event in a window, with all that is sent because of it. */
export interface HeldEvent {
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

/** A window that was opened, as a row. */
interface OpenWindow {
  readonly fault: string;
  readonly order: HoldWindow["order"];
  readonly until: number;
  readonly held: readonly HeldEvent[];
  /** Which of the held goes at each turn; absent until the first goes. */
  readonly turns?: readonly number[];
  readonly released: number;
}

const OWNER = "webhook-window";

/**
 * Holds events back until their window ends, and then lets them go in its order. Each event has a timer of its own, so that many at
 * once are not taken for a loop.
 */
export class HoldWindows {
  readonly #engine: Engine;
  readonly #windows: Table<OpenWindow>;
  readonly #send: (sendings: readonly LaterSending[]) => void;

  constructor(engine: Engine, send: (sendings: readonly LaterSending[]) => void) {
    this.#engine = engine;
    this.#windows = engine.table("webhook-windows");
    this.#send = send;
    engine.onTimer(OWNER, ({ subject }) => this.#release(subject));
  }

  /**
   * Holds an event back until the end of a window, which the first one opens.
   * @returns the window's end, in milliseconds since 1970
   */
  add(window: HoldWindow, event: HeldEvent): number {
    const engine = this.#engine;
    const { name } = window;
    const { turns, held, until, ...row } = this.#open(name) ?? opened(window, engine.now);
    this.#windows.set(name, {
      ...row,
      until,
      held: [...held, event],
      // One that comes while the others are already going is the last to go.
      ...(turns === undefined ? {} : { turns: [...turns, held.length] }),
    });
    engine.schedule(OWNER, name, String(held.length), until, { type: "release" });
    return until;
  }

  #open(name: string): OpenWindow | undefined {
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

  #arrange({ fault, order, held }: OpenWindow): number[] {
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

function opened({ fault, order, length }: HoldWindow, now: number): OpenWindow {
  return { fault, order, until: now + length, held: [], released: 0 };
}

/** One of each group in turn, each group in its own order. */
function alternating(turns: readonly number[], groupOf: (held: HeldEvent) => string, held: readonly HeldEvent[]) {
  const groups = [...Map.groupBy(turns, (turn) => groupOf(held[turn] as HeldEvent)).values()];
  const longest = Math.max(...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
