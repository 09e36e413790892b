import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { startTimer } from "../kit/base/runtime/real-time.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { WORLD_FILE, WORLDS } from "./records.ts";
import type { WorldRecord, WorldTitle } from "./records.ts";
import { openRunFolder } from "./run-folder.ts";
import type { StartedHub } from "./start-hub.ts";
import { startHub, STEPS_AT_THE_END, STEPS_OF_A_TEST, untilHub } from "./start-hub.ts";
import { WrittenWorld } from "./written-world.ts";

const files = process.getBuiltinModule("node:fs");
const { randomUUID } = process.getBuiltinModule("node:crypto");
const { Buffer } = process.getBuiltinModule("node:buffer");
const own = process.getBuiltinModule("node:process");

/** A simulator that the inspector of the run shows. */
export interface FollowedSimulator {
  /** The folder of the run. */
  readonly folder: string;
  /** Shows no more of it. Does nothing when called again. The end of the simulator does the same. */
  end(): void;
}

/** In milliseconds of real time. */
const BETWEEN_LOOKS = 100;

/** What this process has done of what is done once: started an inspector, told its address, told of a problem. */
const done: { started?: StartedHub; hasToldAddress?: true; hasWarned?: true } = {};
const followed = new WeakMap<Simulator, FollowedSimulator>();

/** Shows a simulator in the inspector of the run. Whatever goes wrong fails no test: it is said in a warning, once. */
export function followTest(sim: Simulator, title: WorldTitle): void {
  try {
    follow(sim, title);
  } catch (error) {
    warn(error);
  }
}

/**
 * Shows a simulator in the inspector of the run, which starts with the first.
 * @throws an error that says why it cannot be shown
 */
export function follow(sim: Simulator, title: WorldTitle): FollowedSimulator {
  const known = followed.get(sim);
  if (known !== undefined) return known;
  const { inputs } = sim.internals.parts.engine;
  if (inputs === undefined) throw new Error("the simulator has the option recording: false, so it cannot be followed");
  const folder = openRunFolder();
  const started = startHub(folder);
  if (started !== undefined) {
    done.started = started;
    delete done.hasToldAddress;
    tellAddress(STEPS_OF_A_TEST);
    tellSoon();
    own.once("exit", () => tellAddress(STEPS_AT_THE_END));
  }
  const file = new WorldFile(`${folder.path}/${WORLDS}`);
  const world = new WrittenWorld(sim, inputs, title, (record) => file.write(record));
  const end = (): void => {
    forget();
    followed.delete(sim);
    world.end();
    file.close();
    tellAddress(STEPS_OF_A_TEST);
  };
  const forget = sim.onClose(end);
  const following = { folder: folder.path, end };
  followed.set(sim, following);
  return following;
}

/**
 * Tells the address of the inspector that this process has started, once.
 * @param steps how long to wait for it: on a busy machine it listens only after a while
 */
export function tellAddress(steps = 1): void {
  const { started, hasToldAddress } = done;
  const hub = started === undefined || hasToldAddress === true ? undefined : untilHub(started, steps);
  if (hub === undefined) return;
  done.hasToldAddress = true;
  own.stderr.write(`Centavo inspector: ${hub.url}\n`);
}

/** Looks for the address from time to time, while the test waits for something else. */
function tellSoon(): void {
  tellAddress();
  if (done.hasToldAddress !== true) startTimer(BETWEEN_LOOKS, tellSoon, false);
}

function warn(error: unknown): void {
  if (done.hasWarned === true) return;
  done.hasWarned = true;
  warnProcess(`The inspector does not show all worlds of this run: ${messageOf(error)}. The tests go on without it.`);
}

/** The file of one world. It takes nothing more after the first line that could not be written whole. */
class WorldFile {
  #descriptor: number | undefined;

  constructor(folder: string) {
    this.#descriptor = files.openSync(`${folder}/${randomUUID()}${WORLD_FILE}`, "ax", 0o600);
  }

  write(record: WorldRecord): void {
    if (this.#descriptor === undefined) return;
    try {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      for (let written = 0; written < line.length;) written += files.writeSync(this.#descriptor, line, written);
    } catch (error) {
      warn(error);
      this.close();
    }
  }

  close(): void {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor !== undefined) files.closeSync(descriptor);
  }
}
