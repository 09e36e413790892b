import * as z from "zod/mini";
import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import { faultKind } from "../faults/declaration.ts";
import type { FiringFault } from "../faults/declaration.ts";
import { duration, oneOf } from "../faults/fields.ts";
import type { Sending } from "./delivery-queues.ts";
import { openWindow } from "./rows.ts";

/** A window of virtual time in which a fault holds events back to release them together. */
export interface HoldWindow {
  /** Unique in the world. */
  readonly name: string;
  /** The id of the fault. */
  readonly fault: string;
  /** In milliseconds, from the first event on. */
  readonly length: number;
  /** The order in which the events are released. */
  readonly order: "kept" | "reversed" | "shuffled" | "alternating";
}

const windowFault = faultKind<{ window?: HoldWindow }>();

/** The length of the window, from its first event on. */
const within = duration;

/** Faults that hold events back together. The first that fires decides. */
export const windowFaults = [
  windowFault({
    kind: "webhook.reorder",
    inWords: "events that arrive out of order",
    fields: { within, order: z.optional(oneOf(["reversed", "shuffled"])) },
    effect(fault, held) {
      held.window = windowOf(fault, fault.order ?? "reversed");
    },
  }),
  windowFault({
    kind: "webhook.burst",
    inWords: "events that arrive all at once",
    fields: { within },
    effect(fault, held) {
      held.window = windowOf(fault, "kept");
    },
  }),
  windowFault({
    kind: "webhook.interleave",
    inWords: "interleaved events of several payments",
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
  // Numbered, because a removed fault may still hold events back when another fault gets its id.
  return { name: `${id}/${number}`, fault: id, length: durationMilliseconds(length), order };
}

/** An event in a window, with everything that it causes to be sent. */
export interface HeldEvent {
  readonly event: string;
  readonly merchantId: string;
  readonly sendings: readonly LaterSending[];
}

/** A delivery that follows some time after its event is released. */
export interface LaterSending extends Sending {
  /** In milliseconds. */
  readonly after: number;
}

/** An open window, as a row. */
export interface OpenWindow {
  readonly fault: string;
  readonly order: HoldWindow["order"];
  readonly until: number;
  readonly held: readonly HeldEvent[];
  /** The order of release, as indexes of `held`; absent until the first release. */
  readonly turns?: readonly number[];
  readonly released: number;
}

const OWNER = "webhook-window";

/**
 * Holds events back until their window ends, and then releases them in its order. Each event has its own timer, so that the clock does not
 * mistake a large window for a loop.
 */
export class HoldWindows {
  readonly #engine: Engine;
  readonly #windows: Table<OpenWindow>;
  readonly #send: (sendings: readonly LaterSending[]) => void;

  constructor(engine: Engine, send: (sendings: readonly LaterSending[]) => void) {
    this.#engine = engine;
    this.#windows = engine.table("webhook-windows", { row: openWindow });
    this.#send = send;
    engine.onTimer(OWNER, ({ subject }) => this.#release(subject), {
      inWords: ({ subject }) => `the fault ${this.#windows.get(subject)?.fault ?? ""} releases an event`,
    });
  }

  /**
   * Holds an event back until the end of a window. The first event opens the window.
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
      // An event that happens during the release goes last.
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

/** Takes one event of each group in turn, and keeps the order within each group. */
function alternating(turns: readonly number[], groupOf: (held: HeldEvent) => string, held: readonly HeldEvent[]) {
  const groups = [...Map.groupBy(turns, (turn) => groupOf(held[turn] as HeldEvent)).values()];
  const longest = Math.max(...groups.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
