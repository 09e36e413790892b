import type { ActTable } from "../kit/declaration/act.ts";
import type { Connections } from "../kit/receivers/connections.ts";
import { TimerRunner } from "../kit/engine/timer-runner.ts";
import { keyOf } from "../kit/engine/timer.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { noteRecorded } from "./recorded-notes.ts";
import { performerOf } from "./acts.ts";
import type { KitParts } from "./acts.ts";
import { Divergence } from "./divergence.ts";
import { requestOf } from "./recorded-request.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { AnyInput, PlayableRecording } from "./recording.ts";
import { isReport, isReportOf } from "./reports.ts";
import type { Report } from "./reports.ts";
import type { ReceiverAnswer } from "../kit/receivers/receiver-answer.ts";
import type { HoldReason } from "../kit/webhooks/waiting.ts";

/**
 * Replays a recording in the world in which it starts. Runs timers up to the place of the next input, and then applies that input.
 * Deliveries get the recorded answers.
 */
export class Player<Parts extends KitParts> {
  readonly #parts: Parts;
  readonly #acts: ActTable<Parts>;
  readonly #connections: Connections;
  readonly #recording: PlayableRecording;
  readonly #runner: TimerRunner;
  /** The index of the next input. */
  #next = 0;
  readonly #divergence: Divergence;
  /** For each delivery in flight, in the order in which they began, the function that answers it. */
  #unanswered: ((answer: ReceiverAnswer) => void)[] = [];
  /** Resolved when the recording ends during a delivery. */
  readonly #cutOff = Promise.withResolvers<void>();

  /** @param acts every act that the recording can contain */
  constructor(parts: Parts, acts: ActTable<Parts>, connections: Connections, recording: PlayableRecording) {
    this.#parts = parts;
    this.#acts = acts;
    this.#connections = connections;
    this.#recording = recording;
    this.#divergence = new Divergence(recording.inputs, parts.engine.journal.redaction);
    this.#runner = new TimerRunner(parts.engine, nextMacrotask, { mostConsequences: Infinity });
  }

  /** @throws {CentavoError} `REPLAY_DIVERGED` naming the first input at which the replay differs */
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
    if (digest !== undefined) this.#compare(digest);
    if (this.#diverged !== undefined) throw this.#diverged;
    // As in every snapshot, a delivery in flight counts as not yet made.
    if (engine.inFlight.length > 0) engine.goBackTo(engine.snapshot());
  }

  #compare(digest: string): void {
    const found = this.#parts.engine.journal.digest();
    if (found !== digest) this.#divergence.inDigest(found, digest);
  }

  async #playAll(): Promise<void> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input !== undefined; input = inputs[this.#next]) {
      const number = this.#next;
      await this.#runTimersUntil(input);
      // Unless the input was consumed while timers ran, by a delivery or by an event that was held.
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
            `${timers} timers had run by ${toTimestamp(at)} when it was recorded, and ${this.#timers} in the replay; ${what}`,
          );
        }
      } catch (error) {
        // A timer that failed in the recorded run fails again, and the run continues as it did then.
        if (!(error instanceof CentavoError && error.code === "CLOCK_TIMER_FAILED")) throw error;
      }
    }
    if (this.#diverged === undefined) engine.moveTo(at);
  }

  get #diverged(): CentavoError | undefined {
    return this.#divergence.error;
  }

  get #timers(): number {
    return this.#parts.engine.inputs?.end.timers ?? 0;
  }

  /** Consumes the recorded hold reason of the event that is due, if it has one. */
  #holdReason(): HoldReason | undefined {
    const input = this.#recording.inputs[this.#next];
    if (!isReportOf("obstacle", input) || input.timers !== this.#timers) return undefined;
    this.#next += 1;
    return input.status;
  }

  /** Returns the stamp of the delivery that is beginning, whose answer comes after those of the deliveries in flight. */
  #stampOfNextAnswer(): number {
    const { inputs } = this.#recording;
    let earlier = this.#unanswered.length;
    for (let index = this.#next; index < inputs.length; index += 1) {
      const input = inputs[index];
      if (!isReportOf("answer", input)) continue;
      if (earlier === 0) return input.stamp;
      earlier -= 1;
    }
    return this.#parts.engine.now;
  }

  #answerDelivery(): Promise<ReceiverAnswer> {
    const { promise, resolve } = Promise.withResolvers<ReceiverAnswer>();
    this.#unanswered.push(resolve);
    if (this.#unanswered.length === 1) void this.#answerAll();
    return promise;
  }

  /** Applies the inputs that came while deliveries were in flight, and answers each delivery. The answers are recorded in the order of beginning. */
  async #answerAll(): Promise<void> {
    const { inputs, end } = this.#recording;
    for (let input = inputs[this.#next]; input?.timers === this.#timers; input = inputs[this.#next]) {
      if (isReportOf("answer", input)) {
        this.#next += 1;
        this.#unanswered.shift()?.(input.answer);
        if (this.#unanswered.length === 0) return;
        continue;
      }
      await this.#give(input);
      if (this.#diverged !== undefined) break;
    }
    if (inputs[this.#next] !== undefined || end.timers !== this.#timers)
      this.#diverge("a webhook is sent, and the recording has no answer for it here");
    this.#cutOff.resolve();
  }

  async #give(input: AnyInput): Promise<void> {
    const { engine } = this.#parts;
    if (engine.now !== input.at) {
      this.#diverge(
        `the replay is at ${toTimestamp(engine.now)}, and the recorded run was at ${toTimestamp(input.at)}`,
      );
      return;
    }
    try {
      if (isReport(input)) await this.#report(input);
      else this.#act(input);
    } catch (error) {
      this.#diverge(messageOf(error));
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
        this.#diverge(`no webhook is in flight for this answer (of the event ${input.event})`);
        break;
      case "obstacle":
        this.#diverge(`no webhook is due (the event ${input.event} was due and held)`);
        break;
    }
  }

  #act(input: AnyInput): void {
    const { kind, at: _, timers: __, ...details } = input;
    performerOf(this.#parts, this.#acts)(kind, details);
  }

  /** Sends a request and waits until it has arrived. If a fault holds its answer back, the answer comes later. */
  async #request(input: RecordedRequest): Promise<void> {
    const { dispatcher, engine } = this.#parts;
    const arrived = engine.inputs?.end.inputs ?? 0;
    const call = { isOver: false };
    const answered = (status: number | undefined): void => {
      call.isOver = true;
      if (input.status !== undefined && status !== undefined && status !== input.status)
        this.#divergence.at(input, `it answers ${status}, and answered ${input.status} when it was recorded`);
    };
    dispatcher
      .beginCall()(requestOf(input, dispatcher))
      .then(
        ({ status }) => answered(status),
        () => answered(undefined),
      );
    do await nextMacrotask();
    while (!call.isOver && engine.inputs?.end.inputs === arrived);
  }

  #diverge(why: string): void {
    this.#divergence.at(this.#recording.inputs[this.#next], why);
  }
}
