import type { Assumptions } from "../assumptions.ts";
import type { Engine, Errand } from "../engine/engine.ts";
import type { Faults } from "../faults/faults.ts";
import type { Table } from "../engine/table.ts";
import type { Timer } from "../engine/timers.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors.ts";
import type { ReceiverAnswer } from "./exchange.ts";
import { formatWebhookBody } from "./json.ts";
import { signWebhook } from "./signature.ts";

/** Where an event stands: still to be delivered, delivered, given up after the last retry, refused for good (410), or without a receiver. */
export type DeliveryStatus = "pending" | "delivered" | "exhausted" | "gone" | "no-receiver";

/** An event as it was frozen when its fact happened. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** Where it goes (`webhook.receiver`). */
  readonly url?: string;
  /** The exact text of every attempt (`webhook.body`). */
  readonly body: string;
  readonly status: DeliveryStatus;
  /** How many times it was sent, by hand included. */
  readonly attempts: number;
  /** How many retries of the schedule were planned, the one to come included. */
  readonly retries: number;
  /** Present where it was due and nobody was there to be reached, as in a fork without connections, or where it was held back. */
  readonly held?: true;
  readonly createdAt: number;
}

/** One try to deliver an event. */
export interface WebhookAttempt {
  readonly eventId: string;
  /** 1 for the first. */
  readonly number: number;
  readonly at: number;
  readonly url: string;
  readonly answer: ReceiverAnswer;
  readonly delivered: boolean;
  /** When the retry that this attempt led to is due; absent when it led to none. */
  readonly nextAt?: number;
}

/** What an event is about, as a resource's own events file says it. */
export interface Announcement {
  readonly type: string;
  readonly merchantId: string;
  readonly url: string | undefined;
  /** The body's fields beside id, type and time. */
  readonly content: object;
}

/** What `Outbox` needs of the rest of the simulator. */
export interface OutboxOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly secretOf: (merchantId: string) => string;
  /** Takes secrets out of a value that goes into the journal. */
  readonly redact: <Value>(value: Value) => Value;
  /** The receiver's time, in milliseconds since 1970, for the signature's stamp. */
  readonly receiverTime: () => number;
  /** Whether something sent to this address would go anywhere; in a fork that nobody connected, it would not. */
  readonly reaches: (url: string) => boolean;
  /** Sends a request to the merchant; never rejects. */
  readonly send: (request: Request) => Promise<ReceiverAnswer>;
}

/** Why an event that is due is not sent now: somebody holds it back, or it waits until somebody is connected. */
export type Obstacle = "held" | "waiting";

const OWNER = "webhook";

/** Webhook events on their way: queued by facts, delivered when the clock moves, retried on the virtual clock. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #events: Table<WebhookEvent>;
  readonly #attempts: Table<WebhookAttempt>;
  /** Says that an event has come to its end. */
  readonly #finished: (id: string) => void;
  /** Why an event that is due is not sent now. It is no part of the world. */
  #obstacleTo = (event: WebhookEvent): Obstacle | undefined => this.#obstacleNow(event);
  #isHeldBack: (event: WebhookEvent) => boolean = () => false;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { engine } = options;
    this.#events = engine.table("webhook-events");
    this.#attempts = engine.table("webhook-attempts");
    this.#finished = engine.history.follow("webhook-events", {
      isNeeded: (id) => this.#isUnderWay(id),
      forget: (ids) => this.#forget(ids),
    });
    engine.onTimer(OWNER, (timer) => this.#deliver(timer));
  }

  events(): WebhookEvent[] {
    return [...this.#events.values()];
  }

  attempts(): WebhookAttempt[] {
    return [...this.#attempts.values()];
  }

  /** Queues an event, as part of the unit in which its fact happened; nothing is sent here. */
  announce({ type, merchantId, url, content }: Announcement): void {
    const { engine, assumptions } = this.#options;
    const id = engine.random.base62("id/evt", 24, "evt_");
    const body = formatWebhookBody(
      { id, type, createdAt: toTimestamp(engine.now), ...content },
      assumptions.value("webhook.body"),
    );
    const status = url === undefined ? "no-receiver" : "pending";
    const event: WebhookEvent = {
      id,
      type,
      merchantId,
      ...(url === undefined ? {} : { url }),
      body,
      status,
      attempts: 0,
      retries: 0,
      createdAt: engine.now,
    };
    assumptions.rely(["webhook.receiver", "webhook.event-id", "webhook.order"]);
    this.#events.set(id, event);
    engine.note("webhook", { event: id, type, status });
    if (url === undefined) this.#finished(id);
    else engine.schedule(OWNER, id, "deliver", engine.now, { type: "deliver" });
  }

  /**
   * Keeps matching events back, for as long as nobody calls the returned function; they are then due. It is no part of the world: what a
   * snapshot or a fork takes along is not held back there.
   */
  hold(matches: (event: WebhookEvent) => boolean): () => void {
    this.#isHeldBack = matches;
    return () => {
      this.#isHeldBack = () => false;
      this.resume();
    };
  }

  /** Puts recorded obstacles in place of those of this process, or these back. */
  meetObstacles(recorded: ((event: WebhookEvent) => Obstacle | undefined) | undefined): void {
    this.#obstacleTo = recorded ?? ((event) => this.#obstacleNow(event));
  }

  #obstacleNow(event: WebhookEvent): Obstacle | undefined {
    if (this.#isHeldBack(event)) return "held";
    return event.url !== undefined && this.#options.reaches(event.url) ? undefined : "waiting";
  }

  /** Makes due what waited and can be delivered now: somebody connected, or nobody holds it back, or another world was restored. */
  resume(isReached = ({ url }: WebhookEvent): boolean => url !== undefined && this.#options.reaches(url)): void {
    const { engine } = this.#options;
    const held = this.events().filter((event) => event.held === true && isReached(event));
    if (held.length === 0) return;
    engine.inputs?.add("resumed", { events: held.map(({ id }) => id) });
    engine.unit(() => {
      for (const { held: _, ...event } of held) {
        this.#events.set(event.id, event);
        const input = event.status === "pending" ? "deliver" : "redeliver";
        engine.schedule(OWNER, event.id, input, engine.now, { type: input });
      }
    });
  }

  /**
   * Sends an event once more, outside the retry schedule, when the clock next settles or moves.
   * @throws {CentavoError} `NOT_FOUND`, or `INVALID_STATE` for an event without a receiver
   */
  redeliver(eventId: string): void {
    const event = this.#events.get(eventId);
    if (event === undefined)
      throw new CentavoError(
        "NOT_FOUND",
        `webhooks.redeliver("${eventId}"): there is no such event; sim.webhooks.events() lists them.`,
      );
    if (event.url === undefined) {
      throw new CentavoError(
        "INVALID_STATE",
        `webhooks.redeliver("${eventId}"): the event has no receiver. Give the resource or the simulator a webhookUrl before it happens.`,
      );
    }
    const { engine } = this.#options;
    engine.inputs?.add("redeliver", { event: eventId });
    engine.unit(() => engine.schedule(OWNER, eventId, "redeliver", engine.now, { type: "redeliver" }));
  }

  /** Whether an event that was delivered or given up is to be sent once more, or is being sent. */
  #isUnderWay(id: string): boolean {
    const { engine } = this.#options;
    const { running } = engine;
    return (
      this.#events.get(id)?.held === true ||
      engine.isScheduled(OWNER, id, "redeliver") ||
      (running?.owner === OWNER && running.subject === id)
    );
  }

  #forget(ids: readonly string[]): void {
    const numbersOf = (id: string): number => this.#events.get(id)?.attempts ?? 0;
    this.#attempts.forget(
      ids.flatMap((id) => Array.from({ length: numbersOf(id) }, (_, index) => attemptId(id, index + 1))),
    );
    this.#events.forget(ids);
  }

  #deliver({ subject, input }: Timer): Errand | void {
    const event = this.#events.get(subject);
    if (event?.url === undefined) return undefined;
    const { engine, redact } = this.#options;
    const { id, type, url } = event;
    const obstacle = this.#obstacleTo(event);
    if (obstacle !== undefined) {
      engine.inputs?.add("obstacle", { event: id, status: obstacle });
      this.#events.set(id, { ...event, held: true });
      engine.note("webhook", { event: id, type, status: obstacle, url: redact(url) });
      return undefined;
    }
    return () => this.#attempt(event, url, input.type === "deliver");
  }

  async #attempt(event: WebhookEvent, url: string, scheduled: boolean): Promise<void> {
    const { engine, send, redact } = this.#options;
    const { world } = engine;
    const { headers, stamp } = this.#sign(event);
    const answer = Object.freeze(
      await send(
        new Request(url, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: event.body,
        }),
      ),
    );
    if (world === engine.world) {
      engine.inputs?.add("answer", { event: event.id, stamp, answer });
      engine.unit(() => this.#record(event.id, { url, scheduled, stamp, answer }));
    } else engine.note("late-answer", {}, redact({ event: event.id, type: event.type, url, answer }));
  }

  #sign({ id, body, merchantId }: WebhookEvent): { headers: Record<string, string>; stamp: number } {
    const { engine, assumptions, faults, secretOf, receiverTime } = this.#options;
    const signature = assumptions.value("webhook.signature");
    const stamp = assumptions.value("webhook.stamp") === "virtual" ? engine.now : receiverTime();
    const { scheme, header } = typeof signature === "string" ? { scheme: signature, header: undefined } : signature;
    return {
      headers: signWebhook({
        scheme,
        headerName: header,
        secret: secretOf(merchantId),
        body,
        eventId: id,
        timestamp: stamp + faults.skewOf("webhook", merchantId, { event: id }),
      }),
      stamp,
    };
  }

  #record(id: string, { url, scheduled, stamp, answer }: Outcome): void {
    const { engine, assumptions, redact } = this.#options;
    const event = this.#events.get(id);
    if (event === undefined) return;
    const delivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
    const gone = answer.kind === "answered" && answer.status === 410;
    const nextAt = delivered || gone || !scheduled ? undefined : this.#nextTry(event, stamp, answer);
    const status = delivered ? "delivered" : gone ? "gone" : statusAfterFailure(event, scheduled, nextAt);
    const number = event.attempts + 1;
    assumptions.rely(["webhook.success"]);
    if (answer.kind === "failed" && answer.reason === "timeout") assumptions.rely(["webhook.timeout"]);
    if (delivered || gone) engine.cancel(OWNER, id, "deliver");
    if (nextAt !== undefined) engine.schedule(OWNER, id, "deliver", nextAt, { type: "deliver" });
    this.#events.set(id, {
      ...event,
      status,
      attempts: number,
      retries: event.retries + (nextAt === undefined ? 0 : 1),
    });
    this.#attempts.set(attemptId(id, number), {
      eventId: id,
      number,
      at: engine.now,
      url,
      answer,
      delivered,
      ...(nextAt === undefined ? {} : { nextAt }),
    });
    if (status !== "pending") this.#finished(id);
    const result = answer.kind === "answered" ? { status: answer.status } : { failure: answer.reason };
    const next = nextAt === undefined ? {} : { nextAt };
    engine.note(
      "delivery",
      { event: id, type: event.type, url: redact(url), attempt: number, ...result, ...next, outcome: status },
      { stamp, answer: redact(answer) },
    );
  }

  /** Retry n comes 2ⁿ s after the one before; `Retry-After` may lengthen the wait, never shorten it (`webhook.retries`). */
  #nextTry(event: WebhookEvent, stamp: number, answer: ReceiverAnswer): number | undefined {
    const { engine, assumptions } = this.#options;
    const retry = event.retries + 1;
    if (retry > assumptions.value("webhook.retries")) return undefined;
    const wait = 2 ** retry * 1000;
    const asked =
      answer.kind === "answered" && (answer.status === 429 || answer.status === 503)
        ? retryAfter(answer.retryAfter, stamp)
        : 0;
    return engine.now + Math.max(wait, asked);
  }
}

interface Outcome {
  readonly url: string;
  /** Whether the attempt is of the schedule, and not by hand. */
  readonly scheduled: boolean;
  readonly stamp: number;
  readonly answer: ReceiverAnswer;
}

function attemptId(eventId: string, number: number): string {
  return `${eventId}/${number}`;
}

/** An attempt by hand that fails leaves the event where it was. */
function statusAfterFailure(event: WebhookEvent, scheduled: boolean, nextAt: number | undefined): DeliveryStatus {
  if (!scheduled) return event.status;
  return nextAt === undefined ? "exhausted" : "pending";
}

/**
 * The wait that a `Retry-After` header asks for, in milliseconds. It is given in seconds, or as a date of the receiver's own time,
 * which is the attempt's stamp (`webhook.stamp`); both are in whole seconds.
 */
function retryAfter(header: string | undefined, stamp: number): number {
  if (header === undefined) return 0;
  if (/^ *\d{1,9} *$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - Math.floor(stamp / 1000) * 1000);
}
