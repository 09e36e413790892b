import { realTime } from "../kit/base/runtime/real-time.ts";
import type { Send } from "./story-messages.ts";

const BETWEEN_BEATS = 200;

/** Says again and again that the process is alive, and how far the clock of its story has come. */
export class Heartbeat {
  readonly #send: Send;
  #sentAt = realTime();
  #timers = 0;
  #moment = "";

  constructor(send: Send) {
    this.#send = send;
    setInterval(() => this.#beat(), BETWEEN_BEATS);
  }

  /** Starts counting for a new story, whose first move is sent at once. */
  begin(): void {
    this.#sentAt = -Infinity;
    this.#timers = 0;
    this.#moment = "";
  }

  /** Counts a timer that has run. A clock that runs long holds up all timers of the process, and with them the other beats. */
  moved(moment: string): void {
    this.#timers += 1;
    this.#moment = moment;
    if (realTime() - this.#sentAt >= BETWEEN_BEATS) this.#beat();
  }

  #beat(): void {
    this.#sentAt = realTime();
    void this.#send({ kind: "heartbeat", timers: this.#timers, moment: this.#moment });
  }
}
