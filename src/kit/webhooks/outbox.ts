import type { Engine } from "../engine/engine.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { Faults } from "../faults/faults.ts";
import { diagnosticsChannel } from "../base/runtime/diagnostics.ts";
import { Deliveries } from "./delivery.ts";
import type { Receivers } from "./delivery.ts";
import { DeliveryTimers } from "./delivery-timers.ts";
import type { Announcement, WebhookAttempt, WebhookEvent } from "./event.ts";
import { EventStore } from "./event-store.ts";
import { DeliveryFaults } from "./fault-injection.ts";
import { HoldWindows } from "./hold-windows.ts";
import type { LaterSending } from "./hold-windows.ts";
import type { WebhookPolicies } from "./policies.ts";
import { Waiting } from "./waiting.ts";
import type { HoldReason } from "./waiting.ts";

/** A message of the channel `centavo:event`: an event that is announced to a merchant. */
export interface AnnouncedEvent {
  /** The name of the service that announces it. */
  readonly service: string;
  /** The values that the test set for its assumptions, which may shape the body. */
  readonly assumptions: object;
  readonly id: string;
  readonly type: string;
  /** The exact text that is sent. */
  readonly body: string;
  /** Whether a fault changed or invented it. */
  readonly faulty: boolean;
}

const announced = diagnosticsChannel<AnnouncedEvent>("centavo:event");

export interface OutboxOptions {
  /** The service's name on the diagnostics channels. */
  readonly service: string;
  /** The values that the test set for the service's assumptions. */
  readonly assumptions: object;
  readonly engine: Engine;
  readonly faults: Faults;
  /** How this service tells merchants of its events. */
  readonly policies: WebhookPolicies;
  readonly receivers: Receivers;
}

/**
 * Webhook events of a world: facts queue them, and they are sent when the clock moves, never inside the unit that queued them.
 *
 * @example
 * const outbox = new Outbox({ service: "charges", engine, faults, policies, receivers: connections });
 * engine.unit(() => outbox.announce({ type: "charge.paid", merchantId, url, content: { id: "ch_1" } }));
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #store: EventStore;
  readonly #timers: DeliveryTimers;
  readonly #faultInjection: DeliveryFaults;
  readonly #holdWindows: HoldWindows;
  readonly #waiting: Waiting;
  readonly #deliveries: Deliveries;

  constructor(options: OutboxOptions) {
    this.#options = options;
    const { engine, faults, policies, receivers } = options;
    const redactUrl = rememberingLatest((url) => engine.journal.redaction.text(url));
    const store = new EventStore(engine, (event) => this.#deliveries.isUnderWay(event));
    const timers = new DeliveryTimers(engine);
    const faultInjection = new DeliveryFaults(engine, faults, policies);
    const waiting = new Waiting({ engine, store, timers, redactUrl, reaches: (url) => receivers.reaches(url) });
    this.#store = store;
    this.#timers = timers;
    this.#faultInjection = faultInjection;
    this.#holdWindows = new HoldWindows(engine, (planned) => this.#schedule(planned));
    this.#waiting = waiting;
    this.#deliveries = new Deliveries({ ...options, faultInjection, store, timers, waiting, redactUrl });
  }

  /** The scheme in which events are signed, and the signature's header unless it is the default of the scheme. */
  get signing(): ReturnType<WebhookPolicies["signature"]> {
    return this.#options.policies.signature();
  }

  /** The stamp of a signature made now, in milliseconds since 1970. */
  get stamp(): number {
    return this.#deliveries.stamp;
  }

  event(id: string): WebhookEvent | undefined {
    return this.#store.events.get(id);
  }

  events(): WebhookEvent[] {
    return this.#store.events.all();
  }

  attempts(): WebhookAttempt[] {
    return this.#store.attempts.all();
  }

  /** Returns an event's delivery attempts, oldest first. */
  attemptsOf(event: WebhookEvent): WebhookAttempt[] {
    return this.#store.attemptIdsOf(event).flatMap((id) => this.#store.attempts.get(id) ?? []);
  }

  /** Returns the events whose latest attempt failed, each with that attempt, oldest first. */
  failures(): (readonly [WebhookEvent, WebhookAttempt])[] {
    return this.events().flatMap((event) => {
      const latest = this.#store.latestAttempt(event);
      return latest?.delivered === false ? [[event, latest] as const] : [];
    });
  }

  /** Queues an event. Call this inside the unit in which its fact happens. */
  announce(announcement: Announcement): void {
    const { engine, faults, policies } = this.#options;
    policies.announced(announcement.type);
    const id = policies.eventId(engine.random);
    const { url } = announcement;
    if (url !== undefined && !faults.none) {
      this.#announceUnderFaults(id, announcement);
      return;
    }
    this.#add(id, announcement, { status: url === undefined ? "no-receiver" : "pending" });
    this.#publish(id, false);
    if (url !== undefined) this.#timers.schedule(id, "deliver", engine.now);
  }

  /**
   * Sends an event again when the clock next settles or moves, outside the retry schedule.
   * @throws {CentavoError} `NOT_FOUND`, or `INVALID_STATE` for an event without a receiver
   */
  redeliver(eventId: string): void {
    const event = this.#store.events.get(eventId);
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
    engine.unit(() => this.#timers.schedule(eventId, "redeliver", engine.now));
  }

  /** Holds matching events back. Returns a function that makes them due. */
  holdBack(matches: (event: WebhookEvent) => boolean): () => void {
    return this.#waiting.holdBack(matches);
  }

  /** Takes hold reasons from a recording; with `undefined`, from this process again. */
  replayHoldReasons(recorded: (() => HoldReason | undefined) | undefined): void {
    this.#waiting.replayReasons(recorded);
  }

  /**
   * Makes held events due if they can be sent now, because an app was connected or another world was restored.
   * @param isReleased picks the events in a replay, as the recording names them
   */
  resume(isReleased?: (event: WebhookEvent) => boolean): void {
    this.#waiting.resume(isReleased);
  }

  #announceUnderFaults(id: string, announcement: Announcement): void {
    const { engine } = this.#options;
    const { type, merchantId } = announcement;
    const own = announcement.content;
    const { content, droppedBy, window, after, madeUp, sendings } = this.#faultInjection.announced({
      id,
      type,
      merchantId,
      content: own,
    });
    const from = window === undefined ? engine.now : this.#holdWindows.add(window, { event: id, merchantId, sendings });
    const copies = sendings.filter((planned) => planned.type === "copy").length;
    const standing =
      droppedBy === undefined ? { status: "pending" as const } : { status: "dropped" as const, fault: droppedBy };
    this.#add(id, { ...announcement, content }, { ...standing, ...(copies === 0 ? {} : { copies }) }, from + after);
    this.#publish(id, content !== own);
    for (const { id: other, type: otherType, content: otherContent, fault, after: later } of madeUp)
      this.#add(
        other,
        { ...announcement, type: otherType, content: otherContent },
        { status: "pending", fault },
        from + after + later,
      );
    for (const { id: other } of madeUp) this.#publish(other, true);
    if (window === undefined) this.#schedule(sendings);
  }

  /** Reads the body of an event, into the members that its policies know. */
  contentOf({ body }: Pick<WebhookEvent, "body">): object {
    return this.#options.policies.contentOf(body);
  }

  /** Writes a body as the service would send it, of the members that its policies know. */
  write(event: Parameters<WebhookPolicies["body"]>[0], content: object): string {
    return this.#options.policies.body(event, content);
  }

  #publish(id: string, faulty: boolean): void {
    const event = announced.hasSubscribers ? this.#store.events.get(id) : undefined;
    if (event === undefined) return;
    const { service, assumptions } = this.#options;
    announced.publish({ service, assumptions, id, type: event.type, body: event.body, faulty });
  }

  #add(
    id: string,
    { type, merchantId, url, content }: Announcement,
    { status, ...standing }: Pick<WebhookEvent, "status" | "fault" | "copies">,
    due = this.#options.engine.now,
  ): void {
    const { engine, policies } = this.#options;
    const createdAt = engine.now;
    const body = policies.body({ id, type, createdAt }, content);
    const event = { id, type, merchantId, body, status, attempts: 0, retries: 0, createdAt };
    this.#store.events.set(id, url === undefined ? { ...event, ...standing } : { ...event, url, ...standing });
    const { fault } = standing;
    const note = { event: id, type, status, ...(fault === undefined ? {} : { fault }) };
    engine.note("webhook", status === "pending" && due > engine.now ? { ...note, due } : note);
    if (status !== "pending") this.#store.finished(id);
  }

  #schedule(planned: readonly LaterSending[]): void {
    const { now } = this.#options.engine;
    for (const { event, name, type, after } of planned) this.#timers.schedule(event, type, now + after, name);
  }
}

/** Caches the address redacted last, because most worlds send everything to one address. */
function rememberingLatest(redact: (url: string) => string): (url: string) => string {
  let latest = { url: "", redacted: "" };
  return (url) => {
    if (url !== latest.url) latest = { url, redacted: redact(url) };
    return latest.redacted;
  };
}
