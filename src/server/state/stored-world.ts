import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { version } from "../../kit/base/runtime/version.ts";
import type { WorldSnapshot } from "../../kit/engine/world-snapshot.ts";
import { createSimulator } from "../../report/create-simulator.ts";
import { readRecording } from "../../simulator/payment-recording.ts";
import type { RecordedInput, Recording } from "../../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { snapshotOf } from "../../simulator/snapshot.ts";
import type { Snapshot } from "../../simulator/snapshot.ts";
import { WAY_OUT, WrongFile } from "./problems.ts";

/** The beginning of a world in a file. */
export interface Beginning {
  /** The version of Centavo that wrote it. */
  readonly centavo: string;
  /** The options of the simulator, as a recording has them. */
  readonly options: Recording["options"];
  readonly snapshot: Omit<Snapshot, "digest">;
}

/** Inputs that came together, and the place that the world had reached after them. */
export interface Batch extends Place {
  readonly inputs: readonly RecordedInput[];
}

type Place = Recording["end"];

export function beginningAsText(options: Recording["options"], world: WorldSnapshot): string {
  const snapshot = snapshotOf(world);
  const beginning: Beginning = {
    centavo: version(),
    options,
    snapshot: { version: snapshot.version, world: snapshot.world },
  };
  return JSON.stringify(beginning);
}

/** Returns a new world of a simulator with these options. */
export function newWorld(options: Recording["options"]): WorldSnapshot {
  return createSimulator(options as SimulatorOptions).internals.parts.engine.snapshot();
}

/**
 * Plays a world of a file, which begins with a snapshot, up to where it was.
 * @throws {WrongFile} when the world cannot be played
 */
export async function playStored(texts: readonly string[]): Promise<Simulator> {
  const [beginning, ...batches] = texts.map((text) => JSON.parse(text) as unknown) as [Beginning, ...Batch[]];
  const { options, snapshot } = beginning;
  const { world } = snapshot;
  const { at, timers } = batches.at(-1) ?? { at: world.now, timers: 0 };
  const start = { ...snapshot, digest: snapshotOf(world).digest };
  const inputs = batches.flatMap((batch) => batch.inputs);
  try {
    const { digest: _, ...recording } = readRecording({
      version: 1,
      options,
      start,
      inputs,
      end: { at, timers },
      digest: "",
    });
    const sim = createSimulator(options as SimulatorOptions);
    await sim.play(recording);
    return sim;
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    throw new WrongFile(whyNotPlayed(beginning, error.message), { cause: error });
  }
}

function whyNotPlayed({ centavo }: Beginning, why: string): string {
  const wayOut =
    centavo === version()
      ? WAY_OUT
      : `Version ${centavo} of Centavo wrote it, and this is ${version()}: start that version with the file and stop it with Ctrl+C, or give another file`;
  return `${why} ${wayOut}`;
}
