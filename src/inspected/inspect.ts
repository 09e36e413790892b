import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { startTimer } from "../kit/base/runtime/real-time.ts";
import { testOfNow } from "../kit/base/runtime/test-context.ts";
import { isSimulator, shown } from "../simulator/shown.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { follow, tellAddress } from "./follow.ts";
import type { RunningHub } from "./records.ts";
import { hubIn } from "./run-folder.ts";

/** A simulator that the inspector shows. `await using inspection = await inspect(sim)` ends that at the end of the block. */
export interface Inspection extends AsyncDisposable {
  /** The address of the inspector, which is the same for all simulators of a run. Its code signs one browser in. */
  readonly url: string;
  /** Shows no more of the simulator. What the page has of it stays, as ended. Does nothing when called again. */
  close(): Promise<void>;
}

/** The options of `inspect`. */
export interface InspectOptions {
  /** What the page calls the simulator; by default the running test, or the script with a number. */
  readonly title?: string;
}

/** How long a title may be, in characters. */
const LONGEST_TITLE = 500;
/** How often the inspector is looked for, and how long between, in milliseconds of real time. */
const LOOKS = 1500;
const BETWEEN_LOOKS = 20;

let count = 0;

/**
 * Shows a simulator in the inspector: a page in the browser with its timeline, resources, clock and faults, live. One inspector serves all
 * simulators of a run, in whichever processes they are; the first call starts it in a process of its own and prints its address. With
 * `CENTAVO_INSPECT=1`, tests need no call.
 *
 * The simulator stays the caller's: the page changes nothing in it, and can fork it.
 * @throws {CentavoError} `INVALID_OPTION` for anything but a simulator that records, or a wrong option; `INVALID_STATE` when the inspector
 *   does not start
 *
 * @example
 * const { url } = await inspect(sim, { title: "a renewal" });
 */
export async function inspect(sim: Simulator, options: InspectOptions = {}): Promise<Inspection> {
  if (!isSimulator(sim))
    throw new CentavoError("INVALID_OPTION", `inspect takes a simulator of createSimulator, and got ${shown(sim)}.`);
  refuseUnknownOptions("inspect", options, ["title"]);
  const { title = ownTitle() } = options;
  if (typeof title !== "string" || title.trim() === "" || title.length > LONGEST_TITLE)
    throw new CentavoError(
      "INVALID_OPTION",
      `inspect: the option title is ${shown(title)}. It takes a text of 1 to ${LONGEST_TITLE} characters.`,
    );
  if (sim.internals.parts.engine.inputs === undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      "inspect: this simulator has the option recording: false, so the inspector cannot follow it. Leave that option out.",
    );
  try {
    const followed = follow(sim, { name: title });
    const { url } = await hubOf(followed.folder);
    tellAddress();
    const close = async (): Promise<void> => followed.end();
    return { url, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    throw new CentavoError(
      "INVALID_STATE",
      `inspect: the inspector did not start: ${messageOf(error).replace(/\.$/, "")}. It needs a folder for temporary files, and may not be kept from starting a process.`,
      { cause: error },
    );
  }
}

async function hubOf(folder: string): Promise<RunningHub> {
  for (let look = 0; look < LOOKS; look += 1) {
    const hub = hubIn(folder);
    if (hub !== undefined) return hub;
    await new Promise<void>((resolve) => startTimer(BETWEEN_LOOKS, resolve));
  }
  throw new Error("it does not answer");
}

function ownTitle(): string {
  const test = testOfNow();
  if (test !== undefined) return test.name;
  count += 1;
  const script = process.argv[1]?.split(/[\\/]/).at(-1);
  return `${script === undefined ? "" : `${script} > `}simulator ${count}`;
}
