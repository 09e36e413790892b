import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { createSimulator } from "../../report/create-simulator.ts";
import type { Opened, WorldRecord } from "../../inspected/records.ts";
import type { Recording } from "../../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { Snapshot } from "../../simulator/snapshot.ts";

/** The world of a test in another process, which a simulator of this process goes through as well. */
export class FollowedTest {
  readonly opened: Opened;
  readonly sim: Simulator;
  /** Why the simulator no longer follows the test, if it does not. */
  problem: string | undefined;
  hasEnded = false;
  #playing: Promise<void>;
  /** Whether the next run of the test has the simulator. */
  #isOver = false;
  #end: Recording["end"] | undefined;
  /** The inputs since the world was last at rest. No replay can stop between them. */
  #waiting: Recording["inputs"] = [];

  /**
   * @param earlier the last run of the test. When it had the same options, its simulator begins anew, so whoever looks at it sees this run
   * @throws {CentavoError} when the options are not those of a simulator
   */
  constructor(opened: Opened, earlier?: FollowedTest) {
    const { options, start } = opened;
    this.opened = opened;
    const isSame = JSON.stringify(earlier?.opened.options) === JSON.stringify(options);
    if (earlier !== undefined && isSame) {
      this.sim = earlier.#handOver();
      this.sim.reset();
    } else this.sim = createSimulator(options as SimulatorOptions);
    this.#playing = start === undefined ? Promise.resolve() : this.#play({ start });
  }

  /** Does what the test did next. Resolves when it is done. */
  take(record: WorldRecord): Promise<void> {
    this.#playing = this.#playing.then(() => this.#take(record));
    return this.#playing;
  }

  #handOver(): Simulator {
    this.#isOver = true;
    return this.sim;
  }

  async #take(record: WorldRecord): Promise<void> {
    if (this.#isOver) return;
    switch (record.kind) {
      case "opened":
        break;
      case "begun":
        this.#waiting = [];
        this.problem = undefined;
        this.#end = undefined;
        this.#restore(record.start);
        break;
      case "continued": {
        const { inputs, isAtRest, at, timers } = record;
        this.#waiting.push(...inputs);
        this.#end = { at, timers };
        if (isAtRest) await this.#playWaiting();
        break;
      }
      case "ended":
        await this.#playWaiting();
        this.hasEnded = true;
        break;
    }
  }

  #restore(start: Snapshot): void {
    try {
      this.sim.restore(start);
    } catch (error) {
      this.problem = messageOf(error);
    }
  }

  async #playWaiting(): Promise<void> {
    const end = this.#end;
    if (end === undefined) return;
    const inputs = this.#waiting;
    this.#waiting = [];
    this.#end = undefined;
    await this.#play({ inputs, end });
  }

  async #play(part: Partial<Pick<Recording, "start" | "inputs" | "end">>): Promise<void> {
    // What follows from a world that is not the test's would be wrong.
    if (this.problem !== undefined) return;
    const { options } = this.opened;
    const { engine } = this.sim.internals.parts;
    const end = { at: engine.now, timers: engine.inputs?.timers ?? 0 };
    try {
      await this.sim.play({ version: 1, options, inputs: [], end, ...part });
    } catch (error) {
      this.problem = messageOf(error);
    }
  }
}
