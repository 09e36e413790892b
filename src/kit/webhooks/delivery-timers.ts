import type { Engine } from "../engine/engine.ts";
import type { Timer } from "../engine/timer.ts";
import type { TimerHandler } from "../engine/timer-handler.ts";
import type { Sending } from "./delivery-queues.ts";

const OWNER = "webhook";

const WHEN_DUE: Readonly<Record<Sending["type"], string>> = {
  deliver: "it is sent to its receiver",
  redeliver: "it is sent once more by hand",
  copy: "a fault sends a copy of it",
};

export class DeliveryTimers {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Sets the handler of due deliveries.
   * @param nameOf names an event in messages
   */
  onDue(handler: TimerHandler, nameOf: (event: string) => string): void {
    this.#engine.onTimer(OWNER, handler, {
      inWords: ({ subject, input: { type } }) => `${nameOf(subject)}: ${WHEN_DUE[type as Sending["type"]]}`,
    });
  }

  /**
   * Plans a delivery. A later one with the same name replaces it.
   * @param at in milliseconds since 1970
   * @param name distinguishes several deliveries of one type
   */
  schedule(event: string, type: Sending["type"], at: number, name: string = type): void {
    this.#engine.schedule(OWNER, event, name, at, { type });
  }

  cancelRetry(event: string): void {
    this.#engine.cancel(OWNER, event, "deliver");
  }

  /** Whether a redelivery of the event is planned or is just beginning. */
  isRedelivered(event: string): boolean {
    const engine = this.#engine;
    const isOfEvent = ({ owner, subject }: Timer): boolean => owner === OWNER && subject === event;
    return (
      engine.isScheduled(OWNER, event, "redeliver") ||
      (engine.running !== undefined && isOfEvent(engine.running)) ||
      engine.inFlight.some(isOfEvent)
    );
  }
}
