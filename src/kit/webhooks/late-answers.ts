import type { Engine } from "../engine/engine.ts";
import { attemptId } from "./event.ts";
import type { WebhookEvent } from "./event.ts";
import type { EventStore } from "./event-store.ts";

const OWNER = "webhook-late-answer";

/** Answers that arrive after the service has stopped waiting. They only get a journal entry. */
export class LateAnswers {
  readonly #engine: Engine;
  readonly #store: EventStore;
  readonly #redactUrl: (url: string) => string;

  constructor(engine: Engine, store: EventStore, redactUrl: (url: string) => string) {
    this.#engine = engine;
    this.#store = store;
    this.#redactUrl = redactUrl;
    engine.onTimer(OWNER, ({ subject }) => this.#drop(subject), {
      inWords: ({ subject }) => `the receiver answers the delivery ${subject} too late`,
    });
  }

  /**
   * Schedules the journal entry of a late answer to the attempt that has just timed out.
   * @param at when the answer arrives, in milliseconds since 1970
   */
  expect(event: string, at: number): void {
    const { attempts = 0 } = this.#store.events.get(event) ?? {};
    this.#engine.schedule(OWNER, attemptId(event, attempts), "drop", at, { type: "drop" });
  }

  isExpected(event: WebhookEvent): boolean {
    return this.#store.attemptIdsOf(event).some((attempt) => this.#engine.isScheduled(OWNER, attempt, "drop"));
  }

  #drop(attempt: string): void {
    const [id = "", number] = attempt.split("/");
    const event = this.#store.events.get(id);
    if (event?.url === undefined) return;
    const { type, url } = event;
    this.#engine.note("late-answer", { event: id, type, url: this.#redactUrl(url), attempt: Number(number) });
  }
}
