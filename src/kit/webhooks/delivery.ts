import { shownAddress } from "../base/redaction/address.ts";
import type { Engine } from "../engine/engine.ts";
import type { InFlightWork } from "../engine/timer-handler.ts";
import type { Timer } from "../engine/timer.ts";
import type { Faults } from "../faults/faults.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { FaultyAttempt } from "./attempt-faults.ts";
import { AttemptLog } from "./attempt-log.ts";
import { DeliveryQueues } from "./delivery-queues.ts";
import type { Delivery, DeliveryResult, Sending } from "./delivery-queues.ts";
import type { DeliveryTimers } from "./delivery-timers.ts";
import { afterDelivery } from "./event.ts";
import type { WebhookEvent } from "./event.ts";
import type { EventStore } from "./event-store.ts";
import type { DeliveryFaults } from "./fault-injection.ts";
import { answerIn, bodyIn, headersIn, isSent, secretIn } from "./faulty-attempt.ts";
import { LateAnswers } from "./late-answers.ts";
import type { WebhookPolicies } from "./policies.ts";
import { signWebhook } from "./signatures/signature.ts";
import type { Waiting } from "./waiting.ts";

export interface Receivers {
  /** Sends a request to its receiver; never rejects. */
  send(request: Request): Promise<ReceiverAnswer>;
  /** Returns a warning if this receiver already got an event with this id from another world. */
  warningOfRepeat?(url: string, event: string, world: number): string | undefined;
  /** Whether requests can reach this address. In a fork without connections, they cannot. */
  reaches(url: string): boolean;
  /** The time at the receivers, in milliseconds since 1970. */
  receiverTime(): number;
}

export interface DeliveriesOptions {
  readonly engine: Engine;
  readonly faults: Faults;
  readonly faultInjection: DeliveryFaults;
  readonly policies: WebhookPolicies;
  readonly receivers: Receivers;
  readonly store: EventStore;
  readonly timers: DeliveryTimers;
  readonly waiting: Waiting;
  readonly redactUrl: (url: string) => string;
}

/** The headers of each delivery beside its signature. A version of the sender would change what receivers see with each release. */
export function deliveryHeaders(userAgent = "Centavo"): Readonly<Record<string, string>> {
  return { "content-type": "application/json", "user-agent": userAgent };
}

/** Makes due deliveries: signs, sends and receives, in the order that the policies define. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #queues: DeliveryQueues;
  readonly #log: AttemptLog;
  readonly #lateAnswers: LateAnswers;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { engine, store, timers, redactUrl } = options;
    this.#queues = new DeliveryQueues({
      engine,
      begin: (delivery) => this.#begin(delivery),
      record: (result) => this.#record(result),
    });
    this.#log = new AttemptLog({ ...options, queues: this.#queues });
    this.#lateAnswers = new LateAnswers(engine, store, redactUrl);
    timers.onDue(
      (timer) => this.#deliver(timer),
      (id) => `${store.events.get(id)?.type ?? "event"} ${id}`,
    );
  }

  /** The stamp of a signature made now, in milliseconds since 1970. */
  get stamp(): number {
    const { engine, policies, receivers } = this.#options;
    return policies.stamp() === "virtual" ? engine.now : receivers.receiverTime();
  }

  /** Whether a finished event is about to be sent again, is being sent, or will be answered late. */
  isUnderWay(event: WebhookEvent): boolean {
    return (
      event.onHold === true ||
      event.copies !== undefined ||
      event.underWay !== undefined ||
      this.#queues.includes(event.merchantId, event.id) ||
      this.#queues.includes(queueOf(event.id, "redeliver"), event.id) ||
      this.#options.timers.isRedelivered(event.id) ||
      this.#lateAnswers.isExpected(event)
    );
  }

  #deliver({ subject, name, input }: Timer): InFlightWork | void {
    const { engine, store } = this.#options;
    const event = store.events.get(subject);
    if (event === undefined) return undefined;
    const { merchantId, type } = event;
    // Concurrent deliveries wait only for an earlier sending of the same name, such as an earlier redelivery of the event.
    const queue = this.#isConcurrent ? queueOf(subject, name) : merchantId;
    const delivery = { event: subject, type: input.type as Sending["type"], name, queue };
    if (!this.#queues.isBusy(queue)) return this.#begin(delivery);
    this.#queues.add(delivery);
    engine.note("webhook", { event: subject, type, status: "in-line" });
    return undefined;
  }

  get #isConcurrent(): boolean {
    return this.#options.policies.order() === "concurrent";
  }

  #begin(delivery: Delivery): InFlightWork | void {
    const { store, waiting } = this.#options;
    const event = store.events.get(delivery.event);
    if (event?.url === undefined) return undefined;
    const { url } = event;
    if (delivery.type === "copy" && event.status === "gone") {
      store.events.set(event.id, afterDelivery(event, delivery));
      return undefined;
    }
    if (waiting.takes(event, url, delivery)) return undefined;
    const faulty = this.#faultyAttempt(event, url, delivery);
    const begin = async (): Promise<() => void> => this.#attempt(event, url, delivery, faulty);
    return this.#isConcurrent ? { begin } : async () => (await begin())();
  }

  /** Records that an attempt begins, unless it begins again in a restored world, and returns what faults do to it. */
  #faultyAttempt(event: WebhookEvent, url: string, { name }: Delivery): FaultyAttempt | undefined {
    const { engine, faults, faultInjection, store, policies } = this.#options;
    const { id, type, underWay } = event;
    const begun = underWay?.[name];
    if (begun !== undefined) return begun.faulty;
    if (this.#isConcurrent) engine.note("webhook", { event: id, type, status: "under-way" });
    else if (faults.none) return undefined;
    const faulty = faults.none
      ? undefined
      : faultInjection.attempted({ ...event, url }, () => policies.contentOf(event.body));
    store.events.set(id, { ...event, underWay: { ...underWay, [name]: faulty === undefined ? {} : { faulty } } });
    return faulty;
  }

  /** Sends an event, and returns a function that records the answer. */
  async #attempt(event: WebhookEvent, url: string, delivery: Delivery, faulty?: FaultyAttempt): Promise<() => void> {
    const { engine, receivers, policies } = this.#options;
    const { world } = engine;
    const signed = this.#sign(event, faulty);
    const { body, stamp } = signed;
    const headers = { ...signed.headers, ...deliveryHeaders(policies.userAgent?.()) };
    const message = isSent(faulty?.end) ? receivers.warningOfRepeat?.(url, event.id, world) : undefined;
    if (message !== undefined) engine.note("warning", {}, { message });
    const own = isSent(faulty?.end)
      ? await receivers.send(new Request(url, { method: "POST", headers, body }))
      : undefined;
    return () => {
      if (world === engine.world) this.#answered(event, { ...delivery, url, sentAt: engine.now, stamp }, own, faulty);
      else this.#noteAnswerToOldWorld(event, url, own);
    };
  }

  #noteAnswerToOldWorld({ id, type }: WebhookEvent, url: string, answer: ReceiverAnswer | undefined): void {
    const { engine } = this.#options;
    engine.note("late-answer", {}, engine.journal.redaction.value({ event: id, type, url, answer }));
  }

  /** @param own the answer of the merchant's app, if the attempt reached it */
  #answered(
    { id }: WebhookEvent,
    sent: Omit<DeliveryResult, "answer">,
    own: ReceiverAnswer | undefined,
    faulty: FaultyAttempt | undefined,
  ): void {
    const { engine } = this.#options;
    const { stamp } = sent;
    // If a fault kept the attempt from the merchant, there is no answer to record.
    if (own !== undefined) engine.inputs?.add("answer", { event: id, stamp, answer: own });
    const answer = faulty === undefined ? own : answerIn(faulty, own);
    if (answer === undefined) return;
    // A date in a fault's `Retry-After` is virtual time, because whoever planned the fault cannot know the receiver's time.
    const readAt = answer === own ? stamp : engine.now;
    const result = { ...sent, stamp: readAt, answer: Object.freeze(answer) };
    engine.unit(() => this.#receive(result, faulty?.delay ?? 0));
  }

  #sign(
    event: WebhookEvent,
    faulty: FaultyAttempt | undefined,
  ): { headers: Record<string, string>; body: string; stamp: number } {
    const { policies } = this.#options;
    const { id, merchantId, body } = event;
    const { stamp } = this;
    const { scheme, headerName } = policies.signature();
    const secret = policies.secretOf(merchantId);
    const headers = signWebhook({
      scheme,
      headerName,
      secret: faulty === undefined ? secret : secretIn(faulty, secret),
      body,
      eventId: id,
      timestamp: stamp + (faulty?.skew ?? 0),
    });
    if (faulty === undefined) return { headers, body, stamp };
    return { headers: headersIn(faulty, headers, scheme), body: bodyIn(faulty, body), stamp };
  }

  /** Records a result now, or after the delay of a fault, in milliseconds. */
  #receive(result: DeliveryResult, delay: number): void {
    if (delay === 0) {
      this.#queues.advance(result.queue);
      this.#record(result);
      return;
    }
    const { engine, policies } = this.#options;
    const timeout = policies.timeout.milliseconds();
    if (delay < timeout) {
      this.#queues.awaitAnswer(result, engine.now + delay);
      return;
    }
    const message = `No answer came from ${shownAddress(result.url)} within ${timeout / 1000} s of virtual time (${policies.timeout.name}).`;
    const answer = { kind: "failed", reason: "timeout", clock: "virtual", message } as const;
    const late = result.answer.kind === "answered" ? { lateAt: engine.now + delay } : {};
    this.#queues.awaitAnswer({ ...result, answer, ...late }, engine.now + timeout);
  }

  #record(result: DeliveryResult): void {
    this.#log.write(result);
    if (result.lateAt !== undefined) this.#lateAnswers.expect(result.event, result.lateAt);
  }
}

/** Returns the queue of a single sending, as opposed to a merchant's queue. */
function queueOf(event: string, name: string): string {
  return `${event}/${name}`;
}
