import type { Engine } from "../engine/engine.ts";
import type { InFlightWork } from "../engine/timer-handler.ts";
import type { Table } from "../engine/table.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";

import { deliveryQueue } from "./rows.ts";

/** One event to be sent to its merchant, once. */
export interface Delivery {
  readonly event: string;
  /** `deliver` belongs to the retry schedule. `redeliver`, asked for by hand, and `copy`, asked for by a fault, do not. */
  readonly type: "deliver" | "redeliver" | "copy";
}

/** The result of a delivery, before it is recorded. */
export interface DeliveryResult extends Delivery {
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly sentAt: number;
  /** The receiver's time at sending, in milliseconds since 1970. */
  readonly stamp: number;
  readonly answer: ReceiverAnswer;
}

/** The deliveries to one merchant. */
export interface DeliveryQueue {
  readonly merchantId: string;
  /** The result of the delivery whose answer still takes virtual time. */
  readonly awaited?: DeliveryResult;
  readonly waiting: readonly Delivery[];
}

/** What `DeliveryQueues` needs. */
export interface DeliveryQueuesOptions {
  readonly engine: Engine;
  /** Begins the first delivery of a queue. Returns undefined when nothing is sent. */
  readonly begin: (delivery: Delivery) => InFlightWork | void;
  /** Records the result of a delivery whose answer took virtual time. */
  readonly record: (result: DeliveryResult) => void;
}

const OWNER = "webhook-line";

/**
 * Makes one delivery at a time to each merchant, also while an answer takes virtual time. Deliveries that fall due meanwhile wait in the
 * merchant's queue; other merchants do not wait. Queues are rows and timers, so a snapshot can be taken in the middle of a delivery.
 */
export class DeliveryQueues {
  readonly #options: DeliveryQueuesOptions;
  readonly #queues: Table<DeliveryQueue>;

  constructor(options: DeliveryQueuesOptions) {
    this.#options = options;
    this.#queues = options.engine.table("webhook-lines", {
      row: deliveryQueue,
      problemOf: ({ merchantId }, id) => (merchantId === id ? undefined : `merchantId is "${merchantId}"`),
    });
    options.engine.onTimer(OWNER, ({ subject, input }) =>
      input.type === "answer" ? this.#answered(subject) : this.#beginNext(subject),
    );
  }

  /** Returns true when a delivery to this merchant has to wait its turn. */
  isBusy(merchantId: string): boolean {
    const queue = this.#queues.get(merchantId);
    return queue !== undefined && (queue.awaited !== undefined || queue.waiting.length > 0);
  }

  /** Returns true while an answer about this event is under way, or a delivery of it waits. */
  includes(merchantId: string, event: string): boolean {
    const queue = this.#queues.get(merchantId);
    return queue?.awaited?.event === event || queue?.waiting.some((delivery) => delivery.event === event) === true;
  }

  add(merchantId: string, delivery: Delivery): void {
    const { waiting, ...queue } = this.#queueOf(merchantId);
    this.#queues.set(merchantId, { ...queue, waiting: [...waiting, delivery] });
  }

  /** Delays the answer to the delivery under way until a moment, in milliseconds since 1970. */
  awaitAnswer(merchantId: string, awaited: DeliveryResult, until: number): void {
    const { waiting } = this.#queueOf(merchantId);
    this.#queues.set(merchantId, { merchantId, awaited, waiting: waiting.slice(1) });
    this.#options.engine.schedule(OWNER, merchantId, "answer", until, { type: "answer" });
  }

  /** Ends the delivery under way, which is the first of its queue. */
  advance(merchantId: string): void {
    if (!this.isBusy(merchantId)) return;
    this.#replace(merchantId, this.#queueOf(merchantId).waiting.slice(1));
  }

  /** Takes the retry of an event out of its queue, because the event needs none any more. */
  withdrawRetry(merchantId: string, event: string): void {
    if (!this.isBusy(merchantId)) return;
    const { waiting, ...queue } = this.#queueOf(merchantId);
    const isRetry = (delivery: Delivery): boolean => delivery.event === event && delivery.type === "deliver";
    this.#queues.set(merchantId, { ...queue, waiting: waiting.filter((delivery) => !isRetry(delivery)) });
  }

  #answered(merchantId: string): void {
    const { awaited, waiting } = this.#queueOf(merchantId);
    this.#replace(merchantId, waiting);
    if (awaited !== undefined) this.#options.record(awaited);
  }

  #beginNext(merchantId: string): InFlightWork | void {
    const [first] = this.#queueOf(merchantId).waiting;
    if (first === undefined) return undefined;
    // It stays in the queue until its attempt has ended, so a world restored from a snapshot taken meanwhile sends it again.
    const inFlight = this.#options.begin(first);
    if (inFlight === undefined) this.advance(merchantId);
    return inFlight;
  }

  #replace(merchantId: string, waiting: readonly Delivery[]): void {
    const { engine } = this.#options;
    this.#queues.set(merchantId, { merchantId, waiting });
    if (waiting.length > 0) engine.schedule(OWNER, merchantId, "turn", engine.now, { type: "turn" });
  }

  #queueOf(merchantId: string): DeliveryQueue {
    return this.#queues.get(merchantId) ?? { merchantId, waiting: [] };
  }
}
