import type { Engine } from "../engine/engine.ts";
import { RowIndex } from "../engine/row-index.ts";
import type { Table } from "../engine/table.ts";
import { attemptId } from "./event.ts";
import type { WebhookAttempt, WebhookEvent } from "./event.ts";
import { streamOf } from "./event-faults.ts";
import type { WebhookPolicies } from "./policies.ts";
import { webhookAttempt, webhookEvent } from "./rows.ts";

/** Events and the attempts to deliver them, as rows of the world. */
export class EventStore {
  /** Finds events by their type, and those whose latest attempt failed. */
  readonly index = new RowIndex<WebhookEvent, "type" | "latest">(() => this.events, {
    type: ({ type }) => type,
    latest: (event) => (this.latestAttempt(event)?.delivered === false ? "failed" : undefined),
  });
  readonly events: Table<WebhookEvent>;
  readonly attempts: Table<WebhookAttempt>;
  readonly #engine: Engine;
  readonly #policies: WebhookPolicies;

  /** @param isUnderWay returns true when a delivery or an answer of a finished event is still to come, so that the event must be kept */
  constructor(engine: Engine, policies: WebhookPolicies, isUnderWay: (event: WebhookEvent) => boolean) {
    this.#policies = policies;
    this.events = engine.table("webhook-events", {
      row: webhookEvent,
      observer: this.index,
      identifies: ["id"],
      problemOf: (event, id) => this.#problemIn(event, id),
      asData: (event) => (typeof event.body === "string" ? event : { ...event, body: this.bodyOf(event) }),
    });
    this.attempts = engine.table("webhook-attempts", {
      row: webhookAttempt,
      problemOf: ({ eventId, number }, id) => {
        if (attemptId(eventId, number) !== id) return `eventId or number is not that of ${id}`;
        return number <= (this.events.get(eventId)?.attempts ?? 0) ? undefined : "eventId has no such attempt";
      },
    });
    this.#engine = engine;
    engine.history.track("webhook-events", {
      hasFinished: (id) => this.events.get(id)?.status !== "pending",
      isNeeded: (id) => {
        const event = this.events.get(id);
        return event !== undefined && isUnderWay(event);
      },
      forget: (ids) => this.#forget(ids),
    });
  }

  /** Returns the exact text that every attempt sends. */
  bodyOf(event: WebhookEvent): string {
    return typeof event.body === "string" ? event.body : this.#policies.body(event, event.body());
  }

  /** Returns the ids of all attempts so far. */
  attemptIdsOf({ id, attempts }: WebhookEvent): string[] {
    return Array.from({ length: attempts }, (_, index) => attemptId(id, index + 1));
  }

  latestAttempt({ id, attempts }: WebhookEvent): WebhookAttempt | undefined {
    return this.attempts.get(attemptId(id, attempts));
  }

  /** Writes an attempt and what it made of its event. The attempt comes first, because the index reads it when the event changes. */
  write(attempt: WebhookAttempt, event: WebhookEvent): void {
    this.attempts.set(attemptId(event.id, attempt.number), attempt);
    this.events.set(event.id, event);
  }

  /** Remembers that an event has ended. A bounded world may then forget it. */
  finished(id: string): void {
    this.#engine.history.finish("webhook-events", id);
  }

  #problemIn({ id: own, attempts, status, url, fault }: WebhookEvent, id: string): string | undefined {
    if (own !== id) return `id is "${own}"`;
    if (attempts > 0 && this.attempts.get(attemptId(id, attempts)) === undefined)
      return `attempts is ${attempts}, and the table "webhook-attempts" has no ${attemptId(id, attempts)}`;
    if (url === undefined && status === "pending") return "url is missing, and the event is pending";
    if (this.events.ids().next().value === id && this.#givesAgain()) return "streams would give an event its id again";
    if (fault !== undefined && this.#givesAgain(streamOf(fault)))
      return `fault is "${fault}", and streams would give one of its events the same id again`;
    return undefined;
  }

  /** Whether the next id of an event is taken, because the stream it comes from was lost. */
  #givesAgain(stream?: string): boolean {
    const next = this.#engine.random.preview((random) => this.#policies.eventId(random, stream));
    return this.events.get(next) !== undefined;
  }

  #forget(ids: readonly string[]): void {
    const events = ids.map((id) => this.events.get(id)).filter((event) => event !== undefined);
    this.attempts.forget(events.flatMap((event) => this.attemptIdsOf(event)));
    this.events.forget(ids);
  }
}
