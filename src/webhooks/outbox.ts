import type { Assumptions } from "../assumptions.ts";
import type { Engine, Errand } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import type { Timer } from "../engine/timers.ts";
import { CentavoError } from "../errors.ts";
import { toTimestamp } from "../engine/timestamp.ts";
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
  /** How many of those were retries of the schedule. */
  readonly retries: number;
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
  /** When the next try is due; absent when there is none. */
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
  /** The base URL, below which addresses are journaled as paths. */
  readonly baseUrl: string;
  secretOf(merchantId: string): string;
  /** The receiver's time, in milliseconds since 1970, for the signature's stamp. */
  receiverTime(): number;
  /** Whether something sent to this address would go anywhere; in a fork that nobody connected, it would not. */
  reaches(url: string): boolean;
  /** Sends a request to the merchant; never rejects. */
  send(request: Request): Promise<ReceiverAnswer>;
}

const OWNER = "webhook";

/** Webhook events on their way: queued by facts, delivered when the clock moves, retried on the virtual clock. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #events: Table<WebhookEvent>;
  readonly #attempts: Table<WebhookAttempt>;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#events = options.engine.table("webhook-events");
    this.#attempts = options.engine.table("webhook-attempts");
    options.engine.onTimer(OWNER, (timer) => this.#deliver(timer));
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
    const id = `evt_${engine.random.base62("id/evt", 24)}`;
    const body = formatWebhookBody({ id, type, createdAt: toTimestamp(engine.now), ...content }, assumptions.value("webhook.body"));
    const status = url === undefined ? "no-receiver" : "pending";
    const event: WebhookEvent = { id, type, merchantId, ...(url === undefined ? {} : { url }), body, status, attempts: 0, retries: 0, createdAt: engine.now };
    assumptions.rely(["webhook.receiver", "webhook.event-id", "webhook.order"]);
    this.#events.set(id, event);
    engine.note("webhook", { event: id, type, status });
    if (url !== undefined) engine.schedule(OWNER, id, "deliver", engine.now, { type: "deliver" });
  }

  /** Somebody connected: what waited for a receiver there is due now. */
  receiverConnected(origin: string): void {
    const { engine } = this.#options;
    const waiting = this.events().filter(({ id, status, url }) => status === "pending" && url !== undefined && new URL(url).origin === origin && !engine.isScheduled(OWNER, id, "deliver"));
    if (waiting.length === 0) return;
    engine.unit(() => {
      for (const { id } of waiting) engine.schedule(OWNER, id, "deliver", engine.now, { type: "deliver" });
    });
  }

  /**
   * Sends an event once more, outside the retry schedule, when the clock next settles or moves.
   * @throws {CentavoError} `NOT_FOUND`, or `INVALID_STATE` for an event without a receiver
   */
  redeliver(eventId: string): void {
    const event = this.#events.get(eventId);
    if (event === undefined) throw new CentavoError("NOT_FOUND", `webhooks.redeliver("${eventId}"): there is no such event; sim.webhooks.events() lists them.`);
    if (event.url === undefined) {
      throw new CentavoError("INVALID_STATE", `webhooks.redeliver("${eventId}"): the event has no receiver. Give the resource or the simulator a webhookUrl before it happens.`);
    }
    const { engine } = this.#options;
    engine.unit(() => engine.schedule(OWNER, eventId, "redeliver", engine.now, { type: "redeliver" }));
  }

  #deliver({ subject, input }: Timer): Errand | void {
    const event = this.#events.get(subject);
    if (event?.url === undefined) return undefined;
    const scheduled = input.type === "deliver";
    const number = event.attempts + 1;
    const { world } = this.#options.engine;
    const { url, body, id } = event;
    if (!this.#options.reaches(url)) {
      this.#options.engine.note("webhook", { event: id, type: event.type, status: "waiting", url });
      return undefined;
    }
    return async () => {
      const { headers, stamp } = this.#sign(event);
      const answer = await this.#options.send(new Request(url, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }));
      const { engine } = this.#options;
      if (world !== engine.world) {
        engine.unit(() => engine.note("warning", { message: `an answer to ${id} came after the world was replaced and was dropped` }));
        return;
      }
      engine.unit(() => this.#record(id, url, number, answer, scheduled, { stamp, answer }));
    };
  }

  #sign({ id, body, merchantId }: WebhookEvent): { headers: Record<string, string>; stamp: number } {
    const { engine, assumptions, secretOf, receiverTime } = this.#options;
    const signature = assumptions.value("webhook.signature");
    const stamp = assumptions.value("webhook.stamp") === "virtual" ? engine.now : receiverTime();
    const { scheme, header } = typeof signature === "string" ? { scheme: signature, header: undefined } : signature;
    return { headers: signWebhook({ scheme, headerName: header, secret: secretOf(merchantId), body, eventId: id, timestamp: stamp }), stamp };
  }

  #record(id: string, url: string, number: number, answer: ReceiverAnswer, scheduled: boolean, volatile: Record<string, unknown>): void {
    const { engine, assumptions, baseUrl } = this.#options;
    const event = this.#events.get(id);
    if (event === undefined) return;
    const delivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
    const gone = answer.kind === "answered" && answer.status === 410;
    assumptions.rely(["webhook.success", "webhook.timeout"]);
    const nextAt = delivered || gone || !scheduled ? undefined : this.#nextTry(event, answer);
    const status = delivered ? "delivered" : gone ? "gone" : scheduled ? (nextAt === undefined ? "exhausted" : "pending") : event.status;
    if (delivered || gone) engine.cancel(OWNER, id, "deliver");
    if (nextAt !== undefined) engine.schedule(OWNER, id, "deliver", nextAt, { type: "deliver" });
    this.#events.set(id, { ...event, status, attempts: number, retries: event.retries + (nextAt === undefined ? 0 : 1) });
    this.#attempts.set(`${id}/${number}`, { eventId: id, number, at: engine.now, url, answer, delivered, ...(nextAt === undefined ? {} : { nextAt }) });
    engine.note(
      "delivery",
      {
        event: id,
        type: event.type,
        url: url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : url,
        attempt: number,
        ...(answer.kind === "answered" ? { status: answer.status } : { failure: answer.reason }),
        ...(nextAt === undefined ? {} : { nextAt }),
        outcome: status,
      },
      volatile,
    );
  }

  /** Retry n comes 2ⁿ s after the one before; `Retry-After` may lengthen the wait, never shorten it (`webhook.retries`). */
  #nextTry(event: WebhookEvent, answer: ReceiverAnswer): number | undefined {
    const { engine, assumptions } = this.#options;
    const retry = event.retries + 1;
    if (retry > assumptions.value("webhook.retries")) return undefined;
    const wait = 2 ** retry * 1000;
    const asked = answer.kind === "answered" && (answer.status === 429 || answer.status === 503) ? retryAfter(answer.retryAfter, engine.now) : 0;
    return engine.now + Math.max(wait, asked);
  }
}

/** The wait that a `Retry-After` header asks for, in milliseconds: seconds, or an HTTP date against the virtual clock. */
function retryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

