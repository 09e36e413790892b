import { toTimestamp } from "../kit/engine/timestamp.ts";
import { LONGEST_REASON } from "../kit/engine/world-snapshot.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import type { Redaction } from "../kit/base/redaction/redaction.ts";
import type { AnyInput } from "./recording.ts";
import { isReportOf } from "./reports.ts";

/** The first difference between a replay and its recording. Later differences follow from it. */
export class Divergence {
  readonly #inputs: readonly AnyInput[];
  readonly #redaction: Redaction;
  #error: CentavoError | undefined;

  constructor(inputs: readonly AnyInput[], redaction: Redaction) {
    this.#inputs = inputs;
    this.#redaction = redaction;
  }

  /** `REPLAY_DIVERGED`, or undefined while the replay matches the recording. */
  get error(): CentavoError | undefined {
    return this.#error;
  }

  /**
   * Reports a difference. Only the first one counts.
   * @param input the input at which the replay differs; undefined after the last input
   */
  at(input: AnyInput | undefined, why: string): void {
    const where =
      input === undefined
        ? `after the last of ${this.#count}`
        : `inputs[${this.#inputs.indexOf(input)}], ${this.#inWords(input)} at ${toTimestamp(input.at)}`;
    this.#error ??= diverged(`${where}: ${why}`);
  }

  /** Reports that every input matched, but the journal's digest differs. */
  inDigest(found: string, recorded: string): void {
    this.#error ??= diverged(
      `${this.#count} matched, but the journal's digest is ${found}, and the recording's is ${recorded}`,
    );
  }

  get #count(): string {
    const { length } = this.#inputs;
    return `${length} ${length === 1 ? "input" : "inputs"}`;
  }

  #inWords(input: AnyInput): string {
    if (isReportOf("request", input)) return `${input.method} ${this.#redaction.text(input.target)}`;
    if (isReportOf("note", input)) return `note of ${input.entry}`;
    return "event" in input ? `${input.kind} of ${input.event}` : input.kind;
  }
}

function diverged(what: string): CentavoError {
  return new CentavoError(
    "REPLAY_DIVERGED",
    `replay: the run differs from the recorded one: ${shortened(what, LONGEST_REASON).replace(/\.$/, "")}. Likely causes: the recording was edited, or another version of Centavo made it; else it is a defect in Centavo, so please report it.`,
  );
}
