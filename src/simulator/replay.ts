import { cancelIntent } from "./back-office.ts";
import type { Connections } from "../receivers/connections.ts";
import { TimerRunner } from "../engine/timer-runner.ts";
import { keyOf } from "../engine/timers.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { Fault } from "../service/faults.ts";
import { nextMacrotask } from "../runtime/real-time.ts";
import { redactPath } from "../redaction/redaction.ts";
import type { UnreadableKind } from "../http/request-inputs.ts";
import { mintCard } from "./minted-cards.ts";
import type { CardDetails } from "../service/payment-methods/schema.ts";
import { noteRecorded } from "./recorded-notes.ts";
import type { RecordedInput, Recording } from "./recording.ts";
import type { PaymentWorld } from "./payment-service.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { HoldReason } from "../webhooks/waiting.ts";

type RequestInput = Extract<RecordedInput, { kind: "request" }>;

const utf8 = new TextEncoder();
/** Bodies with the defects that a recording knows by name alone. */
const UNREADABLE: Readonly<Record<UnreadableKind, (headers: RequestInput["headers"]) => Uint8Array<ArrayBuffer>>> = {
  "body-too-large": () => new Uint8Array(1024 * 1024 + 1),
  "malformed-body": () => new Uint8Array([0xff]),
  "unsupported-media-type": () => utf8.encode("-"),
  // A form with a field that is given twice, and JSON that is no object.
  invalid: (headers) => utf8.encode(/^application\/x-www-form/i.test(headers["content-type"] ?? "") ? "a&a" : "[]"),
};

/**
 * Lives through a recording in a world that stands where the recording begins: runs the timers until as many have run as had when
 * the next input came, then gives it that input. Deliveries get the recorded answers.
 */
export class Player {
  readonly #parts: PaymentWorld;
  readonly #connections: Connections;
  readonly #recording: Recording;
  readonly #runner: TimerRunner;
  /** The number of the next input. */
  #next = 0;
  #divergence: CentavoError | undefined;
  /** Resolved where the recording ends in the middle of a delivery. */
  readonly #cutOff = Promise.withResolvers<void>();

  constructor(parts: PaymentWorld, connections: Connections, recording: Recording) {
    this.#parts = parts;
    this.#connections = connections;
    this.#recording = recording;
    this.#runner = new TimerRunner(parts.engine, nextMacrotask, Infinity);
  }

  /** @throws {CentavoError} `REPLAY_DIVERGED` naming the first input at which this life goes another way */
  async play(): Promise<void> {
    const { engine, outbox } = this.#parts;
    outbox.replayHoldReasons(() => this.#holdReason());
    this.#connections.answerFrom({
      send: () => this.#answerDelivery(),
      receiverTime: () => this.#stampOfNextAnswer(),
    });
    try {
      await Promise.race([this.#playAll(), this.#cutOff.promise]);
    } finally {
      outbox.replayHoldReasons(undefined);
      this.#connections.answerFrom(undefined);
    }
    if (this.#divergence !== undefined) throw this.#divergence;
    const { digest } = this.#recording;
    const found = engine.journal.digest();
    if (found !== digest) {
      throw diverged(
        `all ${this.#recording.inputs.length} inputs found their place, and the journal's digest is ${found} where the recording's is ${digest}`,
      );
    }
    // A delivery under way is in the world as not yet made, as in every world that is kept in the middle of one.
    if (engine.inFlight !== undefined) engine.restore(engine.snapshot());
  }

  async #playAll(): Promise<void> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input !== undefined; input = inputs[this.#next]) {
      const number = this.#next;
      await this.#runTimersUntil(input);
      // A delivery, or an event that is not sent, has taken it on the way.
      if (this.#divergence === undefined && this.#next === number) await this.#give(input);
      if (this.#divergence !== undefined) return;
    }
    await this.#runTimersUntil(end);
  }

  async #runTimersUntil({ at, timers }: { readonly at: number; readonly timers: number }): Promise<void> {
    const { engine } = this.#parts;
    const arrived = (): boolean => this.#divergence !== undefined || this.#timers >= timers;
    while (!arrived()) {
      try {
        const end = await this.#runner.run(at, arrived);
        if (end === "reached" && !arrived()) {
          const next = engine.timers.next();
          const what = next === undefined ? "none is left" : `the next, ${keyOf(next)}, is due ${toTimestamp(next.at)}`;
          this.#diverge(
            `${timers} timers ran until ${toTimestamp(at)} when it was recorded, now ${this.#timers}; ${what}`,
          );
        }
      } catch (error) {
        // A timer that failed when it was recorded fails again; the world went on then, too.
        if (!(error instanceof CentavoError && error.code === "CLOCK_TIMER_FAILED")) throw error;
      }
    }
    if (this.#divergence === undefined) engine.moveTo(at);
  }

  get #timers(): number {
    return this.#parts.engine.inputs?.timers ?? 0;
  }

  /** What the recording says next of an event that is due now. */
  #holdReason(): HoldReason | undefined {
    const input = this.#recording.inputs[this.#next];
    if (input?.kind !== "obstacle" || input.timers !== this.#timers) return undefined;
    this.#next += 1;
    return input.status;
  }

  #stampOfNextAnswer(): number {
    const { inputs } = this.#recording;
    for (let index = this.#next; index < inputs.length; index += 1) {
      const input = inputs[index];
      if (input?.kind === "answer") return input.stamp;
    }
    return this.#parts.engine.now;
  }

  /** Gives what came while the delivery was under way, and then its answer. */
  async #answerDelivery(): Promise<ReceiverAnswer> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input?.timers === this.#timers; input = inputs[this.#next]) {
      if (input.kind === "answer") {
        this.#next += 1;
        return input.answer;
      }
      await this.#give(input);
      if (this.#divergence !== undefined) break;
    }
    if (inputs[this.#next] !== undefined || end.timers !== this.#timers)
      this.#diverge("a webhook is sent whose answer is not recorded there");
    this.#cutOff.resolve();
    return new Promise(() => undefined);
  }

  async #give(input: RecordedInput): Promise<void> {
    const { engine, dispatcher, faults, outbox } = this.#parts;
    if (engine.now !== input.at) {
      this.#diverge(`it is ${toTimestamp(engine.now)} now, and was ${toTimestamp(input.at)} when it was recorded`);
      return;
    }
    try {
      switch (input.kind) {
        case "request":
          await this.#request(input);
          break;
        case "resumed":
          outbox.resume(({ id }) => input.events.includes(id));
          break;
        case "note":
          noteRecorded(engine, input);
          break;
        case "cancel":
          cancelIntent(this.#parts, input.intent);
          break;
        case "mint":
          mintCard(this.#parts, input.card as CardDetails);
          break;
        case "redeliver":
          outbox.redeliver(input.event);
          break;
        case "fault.add":
          faults.add(input.fault as Fault);
          break;
        case "fault.remove":
          faults.remove(input.fault);
          break;
        case "fault.clear":
          faults.clear();
          break;
        case "broke-off":
          engine.inputs?.add("broke-off", {});
          dispatcher.breakOff();
          break;
        case "answer":
          this.#diverge(`no webhook is under way that this could answer (it was the event ${input.event})`);
          break;
        case "obstacle":
          this.#diverge(`no webhook is due (it was the event ${input.event}, which was not sent)`);
          break;
      }
    } catch (error) {
      this.#diverge(error instanceof Error ? error.message : String(error));
    }
    this.#next += 1;
  }

  /** Sends a request and waits until it has arrived; where a fault holds it back, its answer comes later. */
  async #request(input: RequestInput): Promise<void> {
    const { dispatcher, engine } = this.#parts;
    const arrived = engine.inputs?.length ?? 0;
    const call = { isOver: false };
    const answered = (status: number | undefined): void => {
      call.isOver = true;
      if (input.status !== undefined && status !== undefined && status !== input.status)
        this.#diverge(`it is answered ${status}, and was answered ${input.status} when it was recorded`, input);
    };
    dispatcher.fetch(this.#requestOf(input)).then(
      ({ status }) => answered(status),
      () => answered(undefined),
    );
    do await nextMacrotask();
    while (!call.isOver && engine.inputs?.length === arrived);
  }

  #requestOf({ method, target, headers, body, unreadable }: RequestInput): Request {
    const url = target.startsWith("/") ? this.#parts.dispatcher.baseUrl + target : target;
    const content = unreadable === undefined ? bytesOf(body) : UNREADABLE[unreadable](headers);
    return new Request(url, { method, headers, ...(content === undefined ? {} : { body: content }) });
  }

  /** The first divergence is the one that counts: the others follow from it. */
  #diverge(why: string, input: RecordedInput | undefined = this.#recording.inputs[this.#next]): void {
    if (this.#divergence !== undefined) return;
    const { inputs } = this.#recording;
    const where =
      input === undefined
        ? `after the last of ${inputs.length} inputs`
        : `inputs[${inputs.indexOf(input)}], ${inWords(input)} at ${toTimestamp(input.at)}`;
    this.#divergence = diverged(`${where}: ${why}`);
  }
}

function diverged(what: string): CentavoError {
  return new CentavoError(
    "REPLAY_DIVERGED",
    `replay: the run went another way than the one that was recorded: ${what.replace(/\.$/, "")}. Likely causes: the recording was edited, or another version of Centavo made it.`,
  );
}

/** As bytes, because a text would bring a content type of its own. Of two marks at its beginning, reading takes one away. */
function bytesOf(body: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  return body === undefined ? undefined : utf8.encode(body.startsWith("\uFEFF") ? `\uFEFF${body}` : body);
}

function inWords(input: RecordedInput): string {
  if (input.kind === "request") return `${input.method} ${redactPath(input.target)}`;
  if (input.kind === "note") return `note of ${input.entry}`;
  return "event" in input ? `${input.kind} of ${input.event}` : input.kind;
}
