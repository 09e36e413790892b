import { paymentService } from "./payment-service.ts";
import { readRecordingOf } from "./recording.ts";
import type { RecordingOf } from "./recording.ts";

/**
 * A run as plain JSON: the options of its simulator, and every input from outside with its virtual time. It contains requests as they were
 * sent, including their fake tokens and any card numbers that the test used.
 */
export type Recording = RecordingOf<typeof paymentService.acts>;

/** One input of a recording. */
export type RecordedInput = Recording["inputs"][number];

/**
 * Checks a recording, which may come from a file.
 * @throws {CentavoError} `INVALID_RECORDING` naming the wrong field
 */
export function readRecording(given: unknown): Recording {
  return readRecordingOf(paymentService.acts, given);
}

/** Writes a recording with one input per line, so that a diff of two recordings is readable. */
export function recordingAsText({ inputs, ...rest }: Recording): string {
  const lines = inputs.map((input) => `    ${JSON.stringify(input)}`).join(",\n");
  const members = Object.entries({ ...rest, inputs: "" }).map(([name, value]) =>
    name === "inputs" ? `  "inputs": [\n${lines}\n  ]` : `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
