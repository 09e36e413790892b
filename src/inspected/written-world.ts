import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import type { Engine } from "../kit/engine/engine.ts";
import type { InputLog, LogPlace } from "../kit/engine/inputs.ts";
import { optionsOf } from "../simulator/recording.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import { recorded } from "../simulator/reports.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { snapshotOf } from "../simulator/snapshot.ts";
import type { WorldRecord, WorldTitle } from "./records.ts";

/** How much of a world is written. */
interface Written {
  /** Which log of the simulator it is from. */
  readonly log: number;
  /** The places in the log of the beginning and of the last input. */
  readonly from: LogPlace;
  readonly to: LogPlace;
  /** The virtual time of the last line. */
  readonly at: number;
  readonly wasAtRest: boolean;
}

/** Takes the lines of a world. It must not throw. */
type Write = (record: WorldRecord) => void;

/**
 * Writes each input of a world, once the turn of the event loop in which it came has ended. The world itself does nothing else than without
 * it: whoever plays the lines gets the same world.
 */
export class WrittenWorld {
  readonly #engine: Engine;
  readonly #log: InputLog;
  readonly #write: Write;
  readonly #stopListening: () => void;
  #written: Written;
  #isDue = false;
  #hasEnded = false;

  constructor(sim: Simulator, log: InputLog, title: WorldTitle, write: Write) {
    const { parts, settings } = sim.internals;
    const { engine } = parts;
    const { begun, start, startPlace } = log;
    this.#engine = engine;
    this.#log = log;
    this.#write = write;
    write({
      kind: "opened",
      title,
      pid: process.pid,
      options: optionsOf(settings),
      ...(start !== undefined && { start: snapshotOf(start) }),
    });
    this.#written = { log: begun, from: startPlace, to: startPlace, at: start?.now ?? settings.now, wasAtRest: true };
    this.#continue();
    this.#stopListening = engine.onMove(this.#changed);
    log.watcher = this.#changed;
  }

  /** Writes what is left. Nothing of the world is written after it. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#stopListening();
    this.#log.watcher = undefined;
    this.#continue();
    this.#write({ kind: "ended" });
  }

  readonly #changed = (): void => {
    if (this.#isDue) return;
    this.#isDue = true;
    void this.#continueSoon();
  };

  async #continueSoon(): Promise<void> {
    await nextMacrotask();
    this.#isDue = false;
    if (!this.#hasEnded) this.#continue();
  }

  #continue(): void {
    const { begun, start, startPlace, end } = this.#log;
    const { log, to } = this.#written;
    // A reset or restore has replaced the world, or a bounded log has dropped inputs that were not written yet.
    if (start !== undefined && (log !== begun || to.inputs < startPlace.inputs)) {
      this.#write({ kind: "begun", start: snapshotOf(start) });
      this.#written = { log: begun, from: startPlace, to: startPlace, at: start.now, wasAtRest: true };
    }
    this.#continueTo(end);
  }

  #continueTo(end: LogPlace): void {
    const engine = this.#engine;
    const { now: at } = engine;
    const written = this.#written;
    const { from, to, wasAtRest } = written;
    const isAtRest = engine.inFlight.length === 0 && !engine.inUnit;
    const isSame = end.inputs === to.inputs && end.timers === to.timers && at === written.at && isAtRest === wasAtRest;
    if (isSame) return;
    const inputs = this.#log.since({ inputs: to.inputs, timers: from.timers }).map(recorded) as Recording["inputs"];
    this.#write({ kind: "continued", at, timers: end.timers - from.timers, inputs, isAtRest });
    this.#written = { ...written, to: end, at, wasAtRest: isAtRest };
  }
}
