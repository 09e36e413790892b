import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { paymentService } from "./payment-service.ts";
import type { IssuedToken } from "./payment-service.ts";
import { readRecordingOf } from "./recording.ts";
import type { AnyInput, AnyRecording } from "./recording.ts";
import type { Report } from "./reports.ts";

/**
 * The details of every act of a test, by its kind. They are written out, because types derived from the acts would pull the service into
 * the package's declarations. The compiler holds them to the acts in `readRecording`.
 */
interface ActDetails {
  readonly "broke-off": object;
  readonly cancel: { intent: string };
  readonly "fault.add": { fault: Record<string, unknown> };
  readonly "fault.clear": object;
  readonly "fault.remove": { fault: string };
  readonly "keep-tokens": { tokens: IssuedToken[] };
  readonly mint: { card: Record<string, string> };
  readonly redeliver: { event: string };
}

type RecordedAct = { [Kind in keyof ActDetails]: { kind: Kind } & Place & ActDetails[Kind] }[keyof ActDetails];
type Place = Pick<AnyInput, "at" | "timers">;

/**
 * A run as plain JSON: the options of its simulator, and every input from outside with its virtual time. It contains requests as they were
 * sent, including their fake tokens and any card numbers that the test used.
 */
export interface Recording extends AnyRecording {
  inputs: RecordedInput[];
}

/** One input of a recording. */
export type RecordedInput = Report | RecordedAct;

/**
 * Checks a recording, which may come from a file.
 * @throws {CentavoError} `INVALID_RECORDING` naming the wrong field
 */
export function readRecording(given: unknown): Recording {
  try {
    return readRecordingOf(paymentService, given);
  } catch (error) {
    throw withoutSecrets(error);
  }
}

/** Takes secrets out of an error's message, which may quote any field of a recording that somebody edited. */
export function withoutSecrets(error: unknown): unknown {
  if (!(error instanceof CentavoError)) return error;
  const { message, stack } = error;
  error.message = paymentService.redaction.text(message);
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}

/** Writes a recording with one input per line, so that a diff of two recordings is readable. */
export function recordingAsText({ inputs, ...rest }: Recording): string {
  const lines = inputs.map((input) => `    ${JSON.stringify(input)}`).join(",\n");
  const members = Object.entries({ ...rest, inputs: "" }).map(([name, value]) =>
    name === "inputs" ? `  "inputs": [\n${lines}\n  ]` : `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
