import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { redactPath } from "../redaction/redaction.ts";
import type { AnyInput } from "./recording.ts";
import { isReportOf } from "./reports.ts";

/** The first point at which a replay goes another way than its recording. Whatever differs later follows from it. */
export class Divergence {
  readonly #inputs: readonly AnyInput[];
  #error: CentavoError | undefined;

  constructor(inputs: readonly AnyInput[]) {
    this.#inputs = inputs;
  }

  /** `REPLAY_DIVERGED`, or undefined while the replay goes the recorded way. */
  get error(): CentavoError | undefined {
    return this.#error;
  }

  /** @param input where it shows; undefined after the last input */
  at(input: AnyInput | undefined, why: string): void {
    const where =
      input === undefined
        ? `after the last of ${this.#inputs.length} inputs`
        : `inputs[${this.#inputs.indexOf(input)}], ${inWords(input)} at ${toTimestamp(input.at)}`;
    this.#error ??= diverged(`${where}: ${why}`);
  }

  /** Every input found its place, and yet the journal is another. */
  inDigest(found: string, recorded: string): void {
    this.#error ??= diverged(
      `all ${this.#inputs.length} inputs found their place, and the journal's digest is ${found} where the recording's is ${recorded}`,
    );
  }
}

function diverged(what: string): CentavoError {
  return new CentavoError(
    "REPLAY_DIVERGED",
    `replay: the run went another way than the one that was recorded: ${what.replace(/\.$/, "")}. Likely causes: the recording was edited, or another version of Centavo made it.`,
  );
}

function inWords(input: AnyInput): string {
  if (isReportOf("request", input)) return `${input.method} ${redactPath(input.target)}`;
  if (isReportOf("note", input)) return `note of ${input.entry}`;
  return "event" in input ? `${input.kind} of ${input.event}` : input.kind;
}
