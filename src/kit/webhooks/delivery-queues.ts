import type { Engine } from "../engine/engine.ts";
import type { InFlightWork } from "../engine/timer-handler.ts";
import type { Table } from "../engine/table.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import { deliveryQueue } from "./rows.ts";

/** One sending of an event to its merchant. */
export interface Sending {
  readonly event: string;
  /** `deliver` belongs to the retry schedule. `redeliver`, requested by hand, and `copy`, requested by a fault, do not. */
  readonly type: "deliver" | "redeliver" | "copy";
  /** Unique among the sendings of an event. */
  readonly name: string;
}

/** A due sending in its queue. Each queue makes one delivery at a time. */
export interface Delivery extends Sending {
  readonly queue: string;
}

/** The result of a delivery, before it is recorded. */
export interface DeliveryResult extends Delivery {
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly sentAt: number;
  /** The receiver's time when it was sent, in milliseconds since 1970. */
  readonly stamp: number;
  readonly answer: ReceiverAnswer;
  /** When the answer arrives after the service has stopped waiting, in milliseconds since 1970. */
  readonly lateAt?: number;
}

export interface DeliveryQueue {
  /** A result whose answer is still taking virtual time. */
  readonly awaited?: DeliveryResult;
  readonly waiting: readonly Delivery[];
}

export interface DeliveryQueuesOptions {
  readonly engine: Engine;
  /** Begins the first delivery of a queue. Returns undefined when nothing is sent. */
  readonly begin: (delivery: Delivery) => InFlightWork | void;
  /** Records the result of a delivery whose answer took virtual time. */
  readonly record: (result: DeliveryResult) => void;
}

const OWNER = "webhook-line";
const EMPTY: DeliveryQueue = { waiting: [] };

/**
 * Makes one delivery of each queue at a time, even while an answer takes virtual time. Deliveries that fall due meanwhile wait; other
 * queues do not. Queues are rows and timers, so a snapshot can be taken during a delivery.
 */
export class DeliveryQueues {
  readonly #options: DeliveryQueuesOptions;
  readonly #queues: Table<DeliveryQueue>;

  constructor(options: DeliveryQueuesOptions) {
    this.#options = options;
    this.#queues = options.engine.table("webhook-lines", { row: deliveryQueue });
    options.engine.onTimer(
      OWNER,
      ({ subject, input }) => (input.type === "answer" ? this.#answered(subject) : this.#beginNext(subject)),
      {
        inWords: ({ subject, input }) =>
          input.type === "answer"
            ? `the receiver answers the event ${this.#get(subject).awaited?.event ?? ""}`
            : `the next event of ${subject} is sent`,
      },
    );
  }

  /** Whether a delivery in this queue would have to wait. */
  isBusy(queue: string): boolean {
    const { awaited, waiting } = this.#get(queue);
    return awaited !== undefined || waiting.length > 0;
  }

  /** Whether the queue contains a delivery of this event, in flight or waiting. */
  includes(queue: string, event: string): boolean {
    const { awaited, waiting } = this.#get(queue);
    return awaited?.event === event || waiting.some((delivery) => delivery.event === event);
  }

  add(delivery: Delivery): void {
    const { waiting, ...queue } = this.#get(delivery.queue);
    this.#queues.set(delivery.queue, { ...queue, waiting: [...waiting, delivery] });
  }

  /** Delays the answer of the delivery in flight until a moment, in milliseconds since 1970. */
  awaitAnswer(awaited: DeliveryResult, until: number): void {
    const { queue } = awaited;
    this.#queues.set(queue, { awaited, waiting: this.#get(queue).waiting.slice(1) });
    this.#options.engine.schedule(OWNER, queue, "answer", until, { type: "answer" });
  }

  /** Ends the delivery in flight, which is the first of its queue. */
  advance(queue: string): void {
    if (!this.isBusy(queue)) return;
    this.#replace(queue, this.#get(queue).waiting.slice(1));
  }

  /** Removes an event's retry from a queue, because it is no longer needed. */
  withdrawRetry(queue: string, event: string): void {
    if (!this.isBusy(queue)) return;
    const { waiting, ...rest } = this.#get(queue);
    const isRetry = (delivery: Delivery): boolean => delivery.event === event && delivery.type === "deliver";
    this.#queues.set(queue, { ...rest, waiting: waiting.filter((delivery) => !isRetry(delivery)) });
  }

  #answered(queue: string): void {
    const { awaited, waiting } = this.#get(queue);
    this.#replace(queue, waiting);
    if (awaited !== undefined) this.#options.record(awaited);
  }

  #beginNext(queue: string): InFlightWork | void {
    const [first] = this.#get(queue).waiting;
    if (first === undefined) return undefined;
    // The delivery stays in the queue until its attempt ends, so that a world restored from a snapshot taken meanwhile repeats it.
    const inFlight = this.#options.begin(first);
    if (inFlight === undefined) this.advance(queue);
    return inFlight;
  }

  #replace(queue: string, waiting: readonly Delivery[]): void {
    const { engine } = this.#options;
    this.#queues.set(queue, { waiting });
    if (waiting.length > 0) engine.schedule(OWNER, queue, "turn", engine.now, { type: "turn" });
    else this.#queues.forget([queue]);
  }

  #get(queue: string): DeliveryQueue {
    return this.#queues.get(queue) ?? EMPTY;
  }
}
