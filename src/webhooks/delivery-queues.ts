import type { Engine, Errand } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import type { ReceiverAnswer } from "../receivers/exchange.ts";

/** One thing to send to a merchant. */
export interface Sending {
  readonly event: string;
  /** `deliver` is of the retry schedule. Outside of it are `redeliver`, by hand, and `copy`, which a fault sends once more. */
  readonly type: "deliver" | "redeliver" | "copy";
}

/** What came of an attempt, as it is to be written down. */
export interface Outcome extends Sending {
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly sentAt: number;
  /** The receiver's time at sending, in milliseconds since 1970. */
  readonly stamp: number;
  readonly answer: ReceiverAnswer;
}

/** A merchant whose answer is awaited on the virtual clock, and what waits behind it. */
interface Line {
  readonly merchantId: string;
  /** What will have come of the attempt under way. */
  readonly awaited?: Outcome;
  readonly waiting: readonly Sending[];
}

/** What `Lines` needs of the outbox. */
export interface LinesOptions {
  readonly engine: Engine;
  /** Begins to send the first of a line; without an errand, nothing is sent. */
  readonly begin: (sending: Sending) => Errand | void;
  /** Writes down what came of an attempt whose answer took its time. */
  readonly record: (outcome: Outcome) => void;
}

const OWNER = "webhook-line";

/**
 * One delivery at a time per merchant, also while an answer takes virtual time (`webhook.order`): what falls due meanwhile stands in
 * line, and other merchants do not wait. All of it is rows and timers, so that a world can be kept in the middle of it.
 */
export class Lines {
  readonly #options: LinesOptions;
  readonly #lines: Table<Line>;

  constructor(options: LinesOptions) {
    this.#options = options;
    this.#lines = options.engine.table("webhook-lines");
    options.engine.onTimer(OWNER, ({ subject, input }) =>
      input.type === "answer" ? this.#answered(subject) : this.#goOn(subject),
    );
  }

  /** Whether what is due to this merchant has to stand in line. */
  isBusy(merchantId: string): boolean {
    const line = this.#lines.get(merchantId);
    return line !== undefined && (line.awaited !== undefined || line.waiting.length > 0);
  }

  /** Whether an answer about this event is awaited, or something of it stands in line. */
  holds(merchantId: string, event: string): boolean {
    const line = this.#lines.get(merchantId);
    return line?.awaited?.event === event || line?.waiting.some((sending) => sending.event === event) === true;
  }

  join(merchantId: string, sending: Sending): void {
    const { waiting, ...line } = this.#lineOf(merchantId);
    this.#lines.set(merchantId, { ...line, waiting: [...waiting, sending] });
  }

  /** Lets the answer to the attempt under way arrive at a later moment, in milliseconds since 1970. */
  await(merchantId: string, awaited: Outcome, until: number): void {
    const { waiting } = this.#lineOf(merchantId);
    this.#lines.set(merchantId, { merchantId, awaited, waiting: waiting.slice(1) });
    this.#options.engine.schedule(OWNER, merchantId, "answer", until, { type: "answer" });
  }

  /** The attempt under way has come to its end; if somebody stood in line, it was the first. */
  advance(merchantId: string): void {
    if (!this.isBusy(merchantId)) return;
    this.#become(merchantId, this.#lineOf(merchantId).waiting.slice(1));
  }

  /** Takes the retry of an event out of the line, because it is needed no more. */
  withdraw(merchantId: string, event: string): void {
    if (!this.isBusy(merchantId)) return;
    const { waiting, ...line } = this.#lineOf(merchantId);
    const isRetry = (sending: Sending): boolean => sending.event === event && sending.type === "deliver";
    this.#lines.set(merchantId, { ...line, waiting: waiting.filter((sending) => !isRetry(sending)) });
  }

  #answered(merchantId: string): void {
    const { awaited, waiting } = this.#lineOf(merchantId);
    this.#become(merchantId, waiting);
    if (awaited !== undefined) this.#options.record(awaited);
  }

  #goOn(merchantId: string): Errand | void {
    const [first] = this.#lineOf(merchantId).waiting;
    if (first === undefined) return undefined;
    // The first stays in line until its attempt has ended: a world that is kept meanwhile sends it again.
    const errand = this.#options.begin(first);
    if (errand === undefined) this.advance(merchantId);
    return errand;
  }

  #become(merchantId: string, waiting: readonly Sending[]): void {
    const { engine } = this.#options;
    this.#lines.set(merchantId, { merchantId, waiting });
    if (waiting.length > 0) engine.schedule(OWNER, merchantId, "turn", engine.now, { type: "turn" });
  }

  #lineOf(merchantId: string): Line {
    return this.#lines.get(merchantId) ?? { merchantId, waiting: [] };
  }
}
