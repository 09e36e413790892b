import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { InputLog, Keeper, LogPlace } from "../../kit/engine/inputs.ts";
import type { WorldSnapshot } from "../../kit/engine/world-snapshot.ts";
import type { KitParts } from "../../simulator/acts.ts";
import { optionsOf } from "../../simulator/recording.ts";
import { recorded } from "../../simulator/reports.ts";
import type { Settings } from "../../simulator/simulator-options.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { StateFile } from "./state-file.ts";
import { beginningAsText, newWorld } from "./stored-world.ts";

/** What there is to follow. */
export interface Followed {
  readonly name: string;
  /** What the file holds of the world beside its inputs: plain JSON. */
  readonly options: unknown;
  readonly sim: Simulator;
  /** A new beginning replaces inputs when they have as many characters as the last beginning, and at least this many. */
  readonly shortestTail: number;
}

/** How much the file has of a world. */
interface Written {
  /** Which log of the simulator it is from. */
  readonly log: number;
  /** The places in the log of the beginning and of the last input. */
  readonly from: LogPlace;
  readonly to: LogPlace;
  /** The virtual time of the last write. */
  readonly at: number;
  readonly checksum: string;
  /** The characters of the beginning, and of the inputs after it. */
  readonly beginning: number;
  readonly tail: number;
}

/** A world of which a file gets the beginning, and then every input. */
export class FollowedWorld {
  readonly #followed: Followed;
  readonly #parts: KitParts;
  readonly #settings: Settings;
  readonly #log: InputLog;
  #written: Written | undefined;
  #next: Written | undefined;

  /** @throws {CentavoError} `INVALID_OPTION` when the simulator records nothing */
  constructor(followed: Followed) {
    const { parts, settings } = followed.sim.internals;
    const { inputs } = parts.engine;
    if (inputs === undefined)
      throw new CentavoError(
        "INVALID_OPTION",
        "This simulator has the option recording: false, so its state cannot be kept. Leave that option out.",
      );
    this.#followed = followed;
    this.#parts = parts;
    this.#settings = settings;
    this.#log = inputs;
  }

  /** Has nothing leave the world before the keeper has kept it. */
  follow(keeper: Keeper): void {
    this.#log.keeper = keeper;
  }

  unfollow(): void {
    this.#log.keeper = undefined;
  }

  /** Brings a clock that runs to what it shows, so that it goes on from there. */
  catchUp(): void {
    this.#parts.engine.runningClock.catchUp();
  }

  /** Writes what the file does not have yet. Call this inside a transaction, and `committed` after it. */
  write(file: StateFile): void {
    const { engine } = this.#parts;
    const { begun, end, start, startPlace } = this.#log;
    let written = this.#written;
    if (written === undefined)
      written = this.#isAtRest
        ? this.#begin(file, engine.snapshot(), end)
        : this.#begin(file, start ?? newWorld(optionsOf(this.#settings)), startPlace);
    // A reset or restore replaced the world, or a bounded log has dropped inputs that were never written.
    else if (start !== undefined && (written.log !== begun || written.to.inputs < startPlace.inputs))
      written = this.#begin(file, start, startPlace);
    this.#next = this.#writeTail(file, written, end);
  }

  committed(): void {
    this.#written = this.#next;
  }

  /** Writes a snapshot in place of the inputs, unless something is under way, which no snapshot contains. */
  writeSnapshot(file: StateFile): void {
    this.write(file);
    if (this.#next !== undefined && this.#next.tail > 0 && this.#isAtRest)
      this.#next = this.#begin(file, this.#parts.engine.snapshot(), this.#log.end);
  }

  get #isAtRest(): boolean {
    const { engine, dispatcher } = this.#parts;
    return engine.inFlight.length === 0 && dispatcher.heldCalls === 0 && !engine.inUnit;
  }

  #writeTail(file: StateFile, written: Written, to: LogPlace): Written {
    const { engine } = this.#parts;
    const { from, checksum, beginning } = written;
    const at = engine.now;
    if (to.inputs === written.to.inputs && to.timers === written.to.timers && at === written.at) return written;
    const inputs = this.#log.since({ inputs: written.to.inputs, timers: from.timers }).map(recorded);
    const text = JSON.stringify({ at, timers: to.timers - from.timers, inputs });
    const tail = written.tail + text.length;
    if (tail > Math.max(this.#followed.shortestTail, beginning) && this.#isAtRest)
      return this.#begin(file, engine.snapshot(), to);
    return { ...written, to, at, checksum: file.add(this.#followed.name, text, checksum), tail };
  }

  #begin(file: StateFile, world: WorldSnapshot, place: LogPlace): Written {
    const { name, options } = this.#followed;
    const text = beginningAsText(optionsOf(this.#settings), world);
    return {
      log: this.#log.begun,
      from: place,
      to: place,
      at: world.now,
      checksum: file.begin(name, options, text),
      beginning: text.length,
      tail: 0,
    };
  }
}
