import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import { attemptId } from "./event.ts";
import type { WebhookAttempt, WebhookEvent } from "./event.ts";
import type { WebhookPolicies } from "./policies.ts";

/** Events and the attempts to deliver them, as rows of the world. */
export class EventStore {
  readonly events: Table<WebhookEvent>;
  readonly attempts: Table<WebhookAttempt>;
  readonly #engine: Engine;
  readonly #policies: WebhookPolicies;

  /** @param isUnderWay returns true when a delivery or an answer of a finished event is still to come, so that the event must be kept */
  constructor(engine: Engine, policies: WebhookPolicies, isUnderWay: (event: WebhookEvent) => boolean) {
    this.#policies = policies;
    this.events = engine.table("webhook-events", {
      asData: (event) => (typeof event.body === "string" ? event : { ...event, body: this.bodyOf(event) }),
    });
    this.attempts = engine.table("webhook-attempts");
    this.#engine = engine;
    engine.history.track("webhook-events", {
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

  /** Remembers that an event has ended. A bounded world may then forget it. */
  finished(id: string): void {
    this.#engine.history.finish("webhook-events", id);
  }

  #forget(ids: readonly string[]): void {
    const events = ids.map((id) => this.events.get(id)).filter((event) => event !== undefined);
    this.attempts.forget(events.flatMap((event) => this.attemptIdsOf(event)));
    this.events.forget(ids);
  }
}
