import type { Engine } from "../engine/engine.ts";
import type { Sending } from "./delivery-queues.ts";
import type { DeliveryTimers } from "./delivery-timers.ts";
import { afterDelivery } from "./event.ts";
import type { WebhookEvent } from "./event.ts";
import type { EventStore } from "./event-store.ts";

/** Why a due event is not sent now: a test holds it back, or it waits for its receiver to be connected. */
export type HoldReason = "held" | "waiting";

export interface WaitingOptions {
  readonly engine: Engine;
  readonly store: EventStore;
  readonly timers: DeliveryTimers;
  readonly redactUrl: (url: string) => string;
  /** Whether requests can reach this address. In a fork without connections, they cannot. */
  readonly reaches: (url: string) => boolean;
}

/**
 * Events that are due but on hold. The hold itself is part of the world; its reason is not, so snapshots and forks do not contain the
 * reason.
 */
export class Waiting {
  readonly #options: WaitingOptions;
  #reasonFor = (event: WebhookEvent): HoldReason | undefined => this.#presentReason(event);
  #isHeldBack: (event: WebhookEvent) => boolean = () => false;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** Holds a due event if there is a reason, and returns whether there was. */
  takes(event: WebhookEvent, url: string, sending: Sending): boolean {
    const reason = this.#reasonFor(event);
    if (reason === undefined) return false;
    const { engine, store, redactUrl } = this.#options;
    const { id, type } = event;
    engine.inputs?.add("obstacle", { event: id, status: reason });
    store.events.set(id, { ...afterDelivery(event, sending), onHold: true });
    engine.note("webhook", { event: id, type, status: reason, url: redactUrl(url) });
    return true;
  }

  /** Holds matching events back. Returns a function that makes them due. */
  holdBack(matches: (event: WebhookEvent) => boolean): () => void {
    this.#isHeldBack = matches;
    return () => {
      this.#isHeldBack = () => false;
      this.resume();
    };
  }

  /** Takes hold reasons from a recording; with `undefined`, from this process again. */
  replayReasons(recorded: (() => HoldReason | undefined) | undefined): void {
    this.#reasonFor = recorded ?? ((event) => this.#presentReason(event));
  }

  /**
   * Makes held events due if they can be sent now: an app was connected, a test released events, or another world was restored.
   * @param isReleased picks the events in a replay, as the recording names them
   */
  resume(isReleased = ({ url }: WebhookEvent): boolean => url !== undefined && this.#options.reaches(url)): void {
    const { engine, store, timers } = this.#options;
    const released = [...store.events.values()].filter((event) => event.onHold && isReleased(event));
    if (released.length === 0) return;
    engine.inputs?.add("resumed", { events: released.map(({ id }) => id) });
    engine.unit(() => {
      for (const { onHold: _, ...event } of released) {
        store.events.set(event.id, event);
        timers.schedule(event.id, event.status === "pending" ? "deliver" : "redeliver", engine.now);
      }
    });
  }

  #presentReason(event: WebhookEvent): HoldReason | undefined {
    if (this.#isHeldBack(event)) return "held";
    return event.url !== undefined && this.#options.reaches(event.url) ? undefined : "waiting";
  }
}
