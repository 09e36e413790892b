import type { ActTable } from "../declaration/act.ts";
import type { Connections } from "../receivers/connections.ts";
import { TimerRunner } from "../engine/timer-runner.ts";
import { keyOf } from "../engine/timer.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { nextMacrotask } from "../runtime/real-time.ts";
import { noteRecorded } from "./recorded-notes.ts";
import { performerOf } from "./acts.ts";
import type { KitParts } from "./acts.ts";
import { Divergence } from "./divergence.ts";
import { requestOf } from "./recorded-request.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { AnyInput, AnyRecording } from "./recording.ts";
import { isReport, isReportOf } from "./reports.ts";
import type { Report } from "./reports.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { HoldReason } from "../webhooks/waiting.ts";

/**
 * Replays a recording in a world that stands where the recording begins. It runs timers until as many have run as had when the next
 * input came, and then gives the world that input. Deliveries get the recorded answers.
 */
export class Player<Parts extends KitParts> {
  readonly #parts: Parts;
  readonly #acts: ActTable<Parts>;
  readonly #connections: Connections;
  readonly #recording: AnyRecording;
  readonly #runner: TimerRunner;
  /** The number of the next input. */
  #next = 0;
  readonly #divergence: Divergence;
  /** Resolved where the recording ends in the middle of a delivery. */
  readonly #cutOff = Promise.withResolvers<void>();

  /** @param acts every act that the recording may hold */
  constructor(parts: Parts, acts: ActTable<Parts>, connections: Connections, recording: AnyRecording) {
    this.#parts = parts;
    this.#acts = acts;
    this.#connections = connections;
    this.#recording = recording;
    this.#divergence = new Divergence(recording.inputs);
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
    } catch (error) {
      throw this.#diverged ?? error;
    } finally {
      outbox.replayHoldReasons(undefined);
      this.#connections.answerFrom(undefined);
    }
    const { digest } = this.#recording;
    const found = engine.journal.digest();
    if (found !== digest) this.#divergence.inDigest(found, digest);
    if (this.#diverged !== undefined) throw this.#diverged;
    // A delivery under way is in the world as not yet made, as in every world that is kept in the middle of one.
    if (engine.inFlight !== undefined) engine.restore(engine.snapshot());
  }

  async #playAll(): Promise<void> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input !== undefined; input = inputs[this.#next]) {
      const number = this.#next;
      await this.#runTimersUntil(input);
      // A delivery, or an event that is not sent, has taken it on the way.
      if (this.#diverged === undefined && this.#next === number) await this.#give(input);
      if (this.#diverged !== undefined) return;
    }
    await this.#runTimersUntil(end);
  }

  async #runTimersUntil({ at, timers }: { readonly at: number; readonly timers: number }): Promise<void> {
    const { engine } = this.#parts;
    const arrived = (): boolean => this.#diverged !== undefined || this.#timers >= timers;
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
    if (this.#diverged === undefined) engine.moveTo(at);
  }

  get #diverged(): CentavoError | undefined {
    return this.#divergence.error;
  }

  get #timers(): number {
    return this.#parts.engine.inputs?.timers ?? 0;
  }

  /** What the recording says next of an event that is due now. */
  #holdReason(): HoldReason | undefined {
    const input = this.#recording.inputs[this.#next];
    if (!isReportOf("obstacle", input) || input.timers !== this.#timers) return undefined;
    this.#next += 1;
    return input.status;
  }

  #stampOfNextAnswer(): number {
    const { inputs } = this.#recording;
    for (let index = this.#next; index < inputs.length; index += 1) {
      const input = inputs[index];
      if (isReportOf("answer", input)) return input.stamp;
    }
    return this.#parts.engine.now;
  }

  /** Gives what came while the delivery was under way, and then its answer. */
  async #answerDelivery(): Promise<ReceiverAnswer> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input?.timers === this.#timers; input = inputs[this.#next]) {
      if (isReportOf("answer", input)) {
        this.#next += 1;
        return input.answer;
      }
      await this.#give(input);
      if (this.#diverged !== undefined) break;
    }
    if (inputs[this.#next] !== undefined || end.timers !== this.#timers)
      this.#diverge("a webhook is sent whose answer is not recorded there");
    this.#cutOff.resolve();
    return new Promise(() => undefined);
  }

  async #give(input: AnyInput): Promise<void> {
    const { engine } = this.#parts;
    if (engine.now !== input.at) {
      this.#diverge(`it is ${toTimestamp(engine.now)} now, and was ${toTimestamp(input.at)} when it was recorded`);
      return;
    }
    try {
      if (isReport(input)) await this.#report(input);
      else this.#act(input);
    } catch (error) {
      this.#diverge(error instanceof Error ? error.message : String(error));
    }
    this.#next += 1;
  }

  async #report(input: Report): Promise<void> {
    const { engine, outbox } = this.#parts;
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
      case "answer":
        this.#diverge(`no webhook is under way that this could answer (it was the event ${input.event})`);
        break;
      case "obstacle":
        this.#diverge(`no webhook is due (it was the event ${input.event}, which was not sent)`);
        break;
    }
  }

  #act(input: AnyInput): void {
    const { kind, at: _, timers: __, ...details } = input;
    performerOf(this.#parts, this.#acts)(kind, details);
  }

  /** Sends a request and waits until it has arrived; where a fault holds it back, its answer comes later. */
  async #request(input: RecordedRequest): Promise<void> {
    const { dispatcher, engine } = this.#parts;
    const arrived = engine.inputs?.length ?? 0;
    const call = { isOver: false };
    const answered = (status: number | undefined): void => {
      call.isOver = true;
      if (input.status !== undefined && status !== undefined && status !== input.status)
        this.#divergence.at(input, `it is answered ${status}, and was answered ${input.status} when it was recorded`);
    };
    dispatcher.fetch(requestOf(input, dispatcher)).then(
      ({ status }) => answered(status),
      () => answered(undefined),
    );
    do await nextMacrotask();
    while (!call.isOver && engine.inputs?.length === arrived);
  }

  #diverge(why: string): void {
    this.#divergence.at(this.#recording.inputs[this.#next], why);
  }
}
