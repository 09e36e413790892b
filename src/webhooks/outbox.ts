import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Engine, Errand } from "../engine/engine.ts";
import type { Faults } from "../faults/faults.ts";
import type { Table } from "../engine/table.ts";
import type { Timer } from "../engine/timers.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { diagnosticsChannel } from "../runtime/diagnostics.ts";
import { answerIn, bodyIn, Disturbances, headersIn, isSent, secretIn } from "./fault-injection.ts";
import type { DisturbedAttempt } from "./fault-injection.ts";
import type { ReceiverAnswer } from "../receivers/exchange.ts";
import { formatWebhookBody } from "./json.ts";
import { Lines } from "./delivery-queues.ts";
import type { Outcome, Sending } from "./delivery-queues.ts";
import { nextTryAt } from "./retry-schedule.ts";
import { signWebhook } from "./signatures/signature.ts";
import type { WebhookScheme } from "./signatures/signature.ts";
import { Windows } from "./hold-windows.ts";
import type { LaterSending } from "./hold-windows.ts";

/**
 * Where an event stands: still to be delivered, delivered, given up after the last retry, refused for good (410), without a receiver,
 * or swallowed by a fault.
 */
export type DeliveryStatus = "pending" | "delivered" | "exhausted" | "gone" | "no-receiver" | "dropped";

/** An event as it was frozen when its fact happened. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** Where it goes (`webhook.receiver`). */
  readonly url?: string;
  /**
   * What every attempt sends: its text where the event came with a snapshot, else how to make its fields beside id, type and time. That
   * reads immutable rows, and nothing of the world, so that it is the same whenever it is asked; most are never written down.
   */
  readonly body: string | (() => object);
  readonly status: DeliveryStatus;
  /** How many times it was sent, by hand included. */
  readonly attempts: number;
  /** How many retries of the schedule were planned, the one to come included. */
  readonly retries: number;
  /** Present where it was due and nobody was there to be reached, as in a fork without connections, or where it was held back. */
  readonly held?: true;
  /** The fault that made it up, or that swallowed it. */
  readonly fault?: string;
  /** How often faults will still have it sent once more. */
  readonly copies?: number;
  /** What faults make of the attempt that is under way; begun again in a world that was kept in the middle of it, it is the same. */
  readonly underWay?: { readonly disturbed?: DisturbedAttempt };
  readonly createdAt: number;
}

/** One try to deliver an event. */
export interface WebhookAttempt {
  readonly eventId: string;
  /** 1 for the first. */
  readonly number: number;
  readonly at: number;
  /** When the answer came, where a fault kept it under way. */
  readonly answeredAt?: number;
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
  /** The body's fields beside id, type and time, which are the same whenever it is called. */
  readonly content: () => object;
}

/** What the channel `centavo:event` says of each event that is announced to a merchant. */
export interface AnnouncedEvent {
  readonly id: string;
  readonly type: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** Whether a fault has changed it or made it up. */
  readonly faulty: boolean;
}

const announced = diagnosticsChannel<AnnouncedEvent>("centavo:event");

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
const LATE_ANSWER_OWNER = "webhook-late-answer";

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
  /** The address that was written down last, because most worlds send everything to one. */
  #latestUrl = { url: "", redacted: "" };
  readonly #disturbances: Disturbances;
  readonly #windows: Windows;
  readonly #lines: Lines;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { engine, faults } = options;
    this.#events = engine.table("webhook-events", {
      asData: (event) => (typeof event.body === "string" ? event : { ...event, body: this.bodyOf(event) }),
    });
    this.#attempts = engine.table("webhook-attempts");
    this.#finished = engine.history.follow("webhook-events", {
      isNeeded: (id) => this.#isUnderWay(id),
      forget: (ids) => this.#forget(ids),
    });
    this.#disturbances = new Disturbances(engine, faults);
    this.#windows = new Windows(engine, (sendings) => this.#schedule(sendings));
    this.#lines = new Lines({
      engine,
      begin: (sending) => this.#begin(sending),
      record: (outcome) => this.#record(outcome),
    });
    engine.onTimer(OWNER, (timer) => this.#deliver(timer));
    engine.onTimer(LATE_ANSWER_OWNER, ({ subject }) => this.#dropLateAnswer(subject));
  }

  /** The scheme in which events are signed, and the signature's header where it has a name of its own (`webhook.signature`). */
  get signing(): { readonly scheme: WebhookScheme; readonly headerName: string | undefined } {
    const signature = this.#options.assumptions.value("webhook.signature");
    return typeof signature === "string"
      ? { scheme: signature, headerName: undefined }
      : { scheme: signature.scheme, headerName: signature.header };
  }

  /** The time that a signature is stamped with now, in milliseconds since 1970 (`webhook.stamp`). */
  get stamp(): number {
    const { engine, assumptions, receiverTime } = this.#options;
    return assumptions.value("webhook.stamp") === "virtual" ? engine.now : receiverTime();
  }

  events(): WebhookEvent[] {
    return [...this.#events.values()];
  }

  /** The exact text that every attempt sends (`webhook.body`). */
  bodyOf({ id, type, createdAt, body }: WebhookEvent): string {
    if (typeof body === "string") return body;
    const format = this.#options.assumptions.value("webhook.body");
    return formatWebhookBody({ id, type, createdAt: toTimestamp(createdAt), ...body() }, format);
  }

  attempts(): WebhookAttempt[] {
    return [...this.#attempts.values()];
  }

  /** Queues an event, as part of the unit in which its fact happened; nothing is sent here. */
  announce(announcement: Announcement): void {
    const { engine, assumptions, faults } = this.#options;
    const id = engine.random.base62("id/evt", 24, "evt_");
    assumptions.use(["webhook.receiver", "webhook.event-id", "webhook.body", "webhook.order"]);
    if (announcement.url !== undefined && !faults.none) {
      this.#announceDisturbed(id, announcement);
      return;
    }
    this.#add(id, announcement, { status: announcement.url === undefined ? "no-receiver" : "pending" });
    this.#publish(id, false);
    if (announcement.url !== undefined) engine.schedule(OWNER, id, "deliver", engine.now, { type: "deliver" });
  }

  #announceDisturbed(id: string, announcement: Announcement): void {
    const { engine } = this.#options;
    const own = announcement.content();
    const { content, droppedBy, window, after, madeUp, sendings } = this.#disturbances.announced({
      id,
      type: announcement.type,
      merchantId: announcement.merchantId,
      content: own,
    });
    const { merchantId } = announcement;
    const from = window === undefined ? engine.now : this.#windows.hold(window, { event: id, merchantId, sendings });
    const copies = sendings.filter(({ type }) => type === "copy").length;
    const standing =
      droppedBy === undefined ? { status: "pending" as const } : { status: "dropped" as const, fault: droppedBy };
    this.#add(
      id,
      { ...announcement, content: () => content },
      { ...standing, ...(copies === 0 ? {} : { copies }) },
      from + after,
    );
    this.#publish(id, content !== own);
    for (const { id: other, type, content: text, fault, after: later } of madeUp)
      this.#add(
        other,
        { ...announcement, type, content: () => text },
        { status: "pending", fault },
        from + after + later,
      );
    for (const { id: other } of madeUp) this.#publish(other, true);
    if (window === undefined) this.#schedule(sendings);
  }

  #publish(id: string, faulty: boolean): void {
    const event = announced.hasSubscribers ? this.#events.get(id) : undefined;
    if (event !== undefined) announced.publish({ id, type: event.type, body: this.bodyOf(event), faulty });
  }

  #add(
    id: string,
    { type, merchantId, url, content }: Announcement,
    { status, ...standing }: Pick<WebhookEvent, "status" | "fault" | "copies">,
    due = this.#options.engine.now,
  ): void {
    const { engine } = this.#options;
    const event = {
      id,
      type,
      merchantId,
      body: content,
      status,
      attempts: 0,
      retries: 0,
      createdAt: engine.now,
    };
    this.#events.set(id, url === undefined ? { ...event, ...standing } : { ...event, url, ...standing });
    const { fault } = standing;
    const note = { event: id, type, status, ...(fault === undefined ? {} : { fault }) };
    engine.note("webhook", status === "pending" && due > engine.now ? { ...note, due } : note);
    if (status !== "pending") this.#finished(id);
  }

  #schedule(sendings: readonly LaterSending[]): void {
    const { engine } = this.#options;
    for (const { event, name, type, after } of sendings)
      engine.schedule(OWNER, event, name, engine.now + after, { type });
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

  /** Whether an event that was delivered or given up is to be sent once more, is being sent, or will be answered late. */
  #isUnderWay(id: string): boolean {
    const { engine } = this.#options;
    const { running } = engine;
    const event = this.#events.get(id);
    return (
      event?.held === true ||
      event?.copies !== undefined ||
      (event !== undefined && this.#lines.holds(event.merchantId, id)) ||
      engine.isScheduled(OWNER, id, "redeliver") ||
      (running?.owner === OWNER && running.subject === id) ||
      this.#attemptIds(id).some((attempt) => engine.isScheduled(LATE_ANSWER_OWNER, attempt, "drop"))
    );
  }

  #forget(ids: readonly string[]): void {
    this.#attempts.forget(ids.flatMap((id) => this.#attemptIds(id)));
    this.#events.forget(ids);
  }

  #attemptIds(eventId: string): string[] {
    const { attempts = 0 } = this.#events.get(eventId) ?? {};
    return Array.from({ length: attempts }, (_, index) => attemptId(eventId, index + 1));
  }

  #deliver({ subject, input }: Timer): Errand | void {
    const event = this.#events.get(subject);
    if (event === undefined) return undefined;
    const { merchantId, type } = event;
    const sending = { event: subject, type: input.type as Sending["type"] };
    if (!this.#lines.isBusy(merchantId)) return this.#begin(sending);
    this.#lines.join(merchantId, sending);
    this.#options.engine.note("webhook", { event: subject, type, status: "in-line" });
    return undefined;
  }

  #begin(sending: Sending): Errand | void {
    const event = this.#events.get(sending.event);
    if (event?.url === undefined) return undefined;
    const { engine, faults } = this.#options;
    const { id, type, url } = event;
    if (sending.type === "copy" && event.status === "gone") {
      this.#events.set(id, afterSending(event, sending));
      return undefined;
    }
    const obstacle = this.#obstacleTo(event);
    if (obstacle !== undefined) {
      engine.inputs?.add("obstacle", { event: id, status: obstacle });
      this.#events.set(id, { ...afterSending(event, sending), held: true });
      engine.note("webhook", { event: id, type, status: obstacle, url: this.#redactedUrl(url) });
      return undefined;
    }
    const disturbed = faults.none ? undefined : this.#disturbed(event);
    return () => this.#attempt(event, url, sending, disturbed);
  }

  #disturbed(event: WebhookEvent): DisturbedAttempt | undefined {
    if (event.underWay !== undefined) return event.underWay.disturbed;
    const disturbed = this.#disturbances.attempted(event, () => JSON.parse(this.bodyOf(event)));
    this.#events.set(event.id, { ...event, underWay: disturbed === undefined ? {} : { disturbed } });
    return disturbed;
  }

  async #attempt(event: WebhookEvent, url: string, sending: Sending, disturbed?: DisturbedAttempt): Promise<void> {
    const { engine, send, redact } = this.#options;
    const { world } = engine;
    const { headers, body, stamp } = this.#sign(event, disturbed);
    const own = isSent(disturbed?.end)
      ? await send(
          new Request(url, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body }),
        )
      : undefined;
    if (world !== engine.world) {
      engine.note("late-answer", {}, redact({ event: event.id, type: event.type, url, answer: own }));
      return;
    }
    // An attempt that a fault keeps from the merchant has an answer that needs no recording.
    if (own !== undefined) engine.inputs?.add("answer", { event: event.id, stamp, answer: own });
    const answer = disturbed === undefined ? own : answerIn(disturbed, url, own);
    if (answer === undefined) return;
    // A date that a fault asks to wait for is of virtual time, because nobody knows the receiver's.
    const readAt = answer === own ? stamp : engine.now;
    const outcome = { ...sending, url, sentAt: engine.now, stamp: readAt, answer: Object.freeze(answer) };
    engine.unit(() => this.#receive(event, outcome, disturbed?.delay ?? 0));
  }

  /** Writes an outcome down, or lets it arrive later, in milliseconds; the service waits for it as long as `webhook.timeout` says. */
  #receive(event: WebhookEvent, outcome: Outcome, delay: number): void {
    const { merchantId } = event;
    if (delay === 0) {
      this.#lines.advance(merchantId);
      this.#record(outcome);
      return;
    }
    const { engine, assumptions } = this.#options;
    const timeout = assumptions.milliseconds("webhook.timeout");
    if (delay < timeout) {
      this.#lines.await(merchantId, outcome, engine.now + delay);
      return;
    }
    const message = `No answer came from ${outcome.url} within ${timeout / 1000} s of virtual time (webhook.timeout).`;
    const answer = { kind: "failed", reason: "timeout", message } as const;
    this.#lines.await(merchantId, { ...outcome, answer }, engine.now + timeout);
    if (outcome.answer.kind === "failed") return;
    const attempt = attemptId(event.id, event.attempts + 1);
    engine.schedule(LATE_ANSWER_OWNER, attempt, "drop", engine.now + delay, { type: "drop" });
  }

  #dropLateAnswer(attempt: string): void {
    const [id = "", number] = attempt.split("/");
    const event = this.#events.get(id);
    if (event === undefined) return;
    const { engine, redact } = this.#options;
    engine.note("late-answer", { event: id, type: event.type, url: redact(event.url), attempt: Number(number) });
  }

  #sign(
    event: WebhookEvent,
    disturbed: DisturbedAttempt | undefined,
  ): { headers: Record<string, string>; body: string; stamp: number } {
    const { id, merchantId } = event;
    const body = this.bodyOf(event);
    const { stamp } = this;
    const { scheme, headerName } = this.signing;
    const secret = this.#options.secretOf(merchantId);
    const headers = signWebhook({
      scheme,
      headerName,
      secret: disturbed === undefined ? secret : secretIn(disturbed, secret),
      body,
      eventId: id,
      timestamp: stamp + (disturbed?.skew ?? 0),
    });
    if (disturbed === undefined) return { headers, body, stamp };
    return { headers: headersIn(disturbed, headers, scheme), body: bodyIn(disturbed, body), stamp };
  }

  #redactedUrl(url: string): string {
    if (url !== this.#latestUrl.url) this.#latestUrl = { url, redacted: this.#options.redact(url) };
    return this.#latestUrl.redacted;
  }

  #record(outcome: Outcome): void {
    const { url, sentAt, event: id } = outcome;
    const { engine, assumptions, redact } = this.#options;
    const event = this.#events.get(id);
    if (event === undefined) return;
    const number = event.attempts + 1;
    const answer = naming(outcome.answer, `attempt ${number} to deliver ${event.type} ${id}`);
    const scheduled = outcome.type === "deliver";
    const delivered = answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
    const gone = answer.kind === "answered" && answer.status === 410;
    const waited = engine.now - sentAt;
    const stamp = outcome.stamp + waited;
    const maxRetries = assumptions.value("webhook.retries");
    const nextAt =
      delivered || gone || !scheduled
        ? undefined
        : nextTryAt({ retries: event.retries, maxRetries, now: engine.now, stamp, answer });
    const status = delivered ? "delivered" : gone ? "gone" : statusAfterFailure(event, scheduled, nextAt);
    assumptions.use(["webhook.success"]);
    if (answer.kind === "failed" && answer.reason === "timeout") assumptions.use(["webhook.timeout"]);
    if (delivered || gone) {
      engine.cancel(OWNER, id, "deliver");
      this.#lines.withdraw(event.merchantId, id);
    }
    if (nextAt !== undefined) engine.schedule(OWNER, id, "deliver", nextAt, { type: "deliver" });
    this.#events.set(id, {
      ...afterAttempt(afterSending(event, outcome)),
      status,
      attempts: number,
      retries: event.retries + (nextAt === undefined ? 0 : 1),
    });
    this.#attempts.set(attemptId(id, number), {
      eventId: id,
      number,
      at: sentAt,
      ...(waited === 0 ? {} : { answeredAt: engine.now }),
      url,
      answer,
      delivered,
      ...(nextAt === undefined ? {} : { nextAt }),
    });
    if (status !== "pending") this.#finished(id);
    const result = answer.kind === "answered" ? { status: answer.status } : { failure: answer.reason };
    const next = nextAt === undefined ? {} : { nextAt };
    const sent = waited === 0 ? {} : { sentAt };
    engine.note(
      "delivery",
      {
        event: id,
        type: event.type,
        url: this.#redactedUrl(url),
        attempt: number,
        ...sent,
        ...result,
        ...next,
        outcome: status,
      },
      { stamp: outcome.stamp, answer: isBareStatus(answer) ? answer : redact(answer) },
    );
  }
}

/** Whether an answer is nothing but a status, in which there is nothing to redact. */
function isBareStatus(answer: ReceiverAnswer): boolean {
  return (
    answer.kind === "answered" &&
    answer.retryAfter === undefined &&
    answer.location === undefined &&
    answer.bodyExcerpt === undefined
  );
}

/** The event without the copy that was to be sent, where that is what was. */
function afterSending(event: WebhookEvent, { type }: Pick<Sending, "type">): WebhookEvent {
  if (type !== "copy") return event;
  const { copies = 1, ...rest } = event;
  return copies === 1 ? rest : { ...rest, copies: copies - 1 };
}

/** The event without what faults made of the attempt that has ended, where there was anything. */
function afterAttempt(event: WebhookEvent): WebhookEvent {
  if (event.underWay === undefined) return event;
  const { underWay: _, ...rest } = event;
  return rest;
}

/** The answer, which says where the merchant's app is at fault what it was given. */
function naming(answer: ReceiverAnswer, attempt: string): ReceiverAnswer {
  if (answer.kind === "answered" || (answer.reason !== "timeout" && answer.reason !== "threw")) return answer;
  return Object.freeze({ ...answer, message: `${answer.message} This was ${attempt}.` });
}

function attemptId(eventId: string, number: number): string {
  return `${eventId}/${number}`;
}

/** An attempt by hand that fails leaves the event where it was. */
function statusAfterFailure(event: WebhookEvent, scheduled: boolean, nextAt: number | undefined): DeliveryStatus {
  if (!scheduled) return event.status;
  return nextAt === undefined ? "exhausted" : "pending";
}
