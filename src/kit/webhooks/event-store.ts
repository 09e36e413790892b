import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import { attemptId } from "./event.ts";
import type { WebhookAttempt, WebhookEvent } from "./event.ts";
import { webhookAttempt, webhookEvent } from "./rows.ts";

/** Events and delivery attempts, as rows of the world. */
export class EventStore {
  readonly events: Table<WebhookEvent>;
  readonly attempts: Table<WebhookAttempt>;
  readonly #engine: Engine;

  /** @param isUnderWay returns true while a delivery or answer of a finished event is still to come, so that the event must be kept */
  constructor(engine: Engine, isUnderWay: (event: WebhookEvent) => boolean) {
    this.events = engine.table("webhook-events", { row: webhookEvent, identifies: ["id"] });
    this.attempts = engine.table("webhook-attempts", { row: webhookAttempt });
    this.#engine = engine;
    engine.history.track("webhook-events", {
      isNeeded: (id) => {
        const event = this.events.get(id);
        return event !== undefined && isUnderWay(event);
      },
      forget: (ids) => this.#forget(ids),
    });
  }

  /** Returns the ids of all attempts so far. */
  attemptIdsOf({ id, attempts }: WebhookEvent): string[] {
    return Array.from({ length: attempts }, (_, index) => attemptId(id, index + 1));
  }

  latestAttempt({ id, attempts }: WebhookEvent): WebhookAttempt | undefined {
    return this.attempts.get(attemptId(id, attempts));
  }

  /** Writes an attempt and the resulting event. */
  write(attempt: WebhookAttempt, event: WebhookEvent): void {
    this.attempts.set(attemptId(event.id, attempt.number), attempt);
    this.events.set(event.id, event);
  }

  /** Records that an event has ended, so that a bounded world may forget it. */
  finished(id: string): void {
    this.#engine.history.finish("webhook-events", id);
  }

  #forget(ids: readonly string[]): void {
    const events = ids.map((id) => this.events.get(id)).filter((event) => event !== undefined);
    this.attempts.forget(events.flatMap((event) => this.attemptIdsOf(event)));
    this.events.forget(ids);
  }
}
