import type { Engine } from "../engine/engine.ts";
import { skewOf } from "../faults/clock-skew.ts";
import type { StruckBy } from "../faults/declaration.ts";
import type { Faults } from "../faults/faults.ts";
import { endFaults, messageFaults, slowFaults } from "./attempt-faults.ts";
import type { BeginningAttempt, FaultyAttempt } from "./attempt-faults.ts";
import { idsIn } from "./content-ids.ts";
import { eventFaults } from "./event-faults.ts";
import type { HappeningEvent, MadeUpEvent, ToldEvent } from "./event-faults.ts";
import type { EventOccasion } from "./event-selectors.ts";
import { isSent } from "./faulty-attempt.ts";
import { windowFaults } from "./hold-windows.ts";
import type { HoldWindow, LaterSending } from "./hold-windows.ts";

export const webhookFaults = [...eventFaults, ...windowFaults, ...messageFaults, ...endFaults, ...slowFaults] as const;

/** What faults do to an event when it happens. */
export interface FaultyEvent {
  readonly content: object;
  /** The fault that drops it. */
  readonly droppedBy?: string;
  readonly window?: HoldWindow;
  /** How long it is held back after the window, in milliseconds. */
  readonly after: number;
  readonly madeUp: readonly MadeUpEvent[];
  /** Everything to send, in order. */
  readonly sendings: readonly LaterSending[];
}

type SentEvent = Omit<ToldEvent, "content"> & { readonly url: string };

export class DeliveryFaults {
  readonly #engine: Engine;
  readonly #faults: Faults;
  readonly #policies: HappeningEvent["policies"];

  constructor(engine: Engine, faults: Faults, policies: HappeningEvent["policies"]) {
    this.#engine = engine;
    this.#faults = faults;
    this.#policies = policies;
  }

  /** Returns what faults do to an event. Call this inside the unit in which the event happens. */
  announced(event: ToldEvent): FaultyEvent {
    const { random } = this.#engine;
    const occasion = this.#occasionOf(event, () => event.content);
    const happening = this.#faults.fire<HappeningEvent>(
      eventFaults,
      occasion,
      { event, after: 0, copies: [], madeUp: [], random, policies: this.#policies },
      ({ droppedBy }) => droppedBy !== undefined,
    );
    const { droppedBy, after, madeUp } = happening;
    const { content } = happening.event;
    const others = madeUp.map((other) => sendingOf(other.id, "deliver", after + other.after));
    if (droppedBy !== undefined) return { content, droppedBy, after, madeUp, sendings: others };
    const own = [sendingOf(event.id, "deliver", after)];
    for (const [index, later] of happening.copies.entries())
      own.push({ ...sendingOf(event.id, "copy", after + later), name: `copy-${index + 1}` });
    const { window } = this.#faults.fire<{ window?: HoldWindow }>(windowFaults, occasion, {}, () => true);
    return { content, after, madeUp, sendings: [...own, ...others], ...(window === undefined ? {} : { window }) };
  }

  /** Returns what faults do to an attempt; undefined when none fires. Call this inside the unit in which the attempt begins. */
  attempted(event: SentEvent, contentOf: () => unknown): FaultyAttempt | undefined {
    const faults = this.#faults;
    const struck: StruckBy[] = [];
    const occasion = Object.assign(this.#occasionOf(event, contentOf), { struck });
    const attempt: BeginningAttempt = { ...INTACT, url: event.url };
    faults.fire(endFaults, occasion, attempt, () => true);
    faults.fire(slowFaults, occasion, attempt);
    if (isSent(attempt.end)) {
      faults.fire(messageFaults, occasion, attempt);
      attempt.skew += skewOf(faults, "webhook", event.merchantId, occasion.note, struck);
    }
    const { url: _, ...faulty } = attempt;
    return struck.length === 0 ? undefined : { ...faulty, faults: struck };
  }

  #occasionOf({ id, type, merchantId }: Omit<ToldEvent, "content">, contentOf: () => unknown): EventOccasion {
    const { contentIds } = this.#policies;
    return {
      event: type,
      merchant: merchantId,
      // A getter, because it is costly and few faults read it.
      get resources() {
        return [id, ...idsIn(contentOf(), contentIds)];
      },
      note: { event: id, type },
    };
  }
}

const INTACT = { corruptBody: false, wrongSecret: false, otherMode: false, skew: 0, delay: 0 };

function sendingOf(event: string, type: "deliver" | "copy", after: number): LaterSending {
  return { event, type, name: type, after };
}
