import { paymentService } from "./payment-service.ts";
import { readRecordingOf } from "./recording.ts";
import type { RecordingOf } from "./recording.ts";

/**
 * A run as plain JSON: how its simulator was made, and all that came to it from outside, at its virtual time. It holds requests as they
 * were sent, with their fake tokens and whatever card numbers the test used.
 */
export type Recording = RecordingOf<typeof paymentService.acts>;

/** One input of a recording. */
export type RecordedInput = Recording["inputs"][number];

/**
 * Checks a recording, which may come from a file.
 * @throws {CentavoError} `INVALID_RECORDING` naming the field that is wrong
 */
export function readRecording(given: unknown): Recording {
  return readRecordingOf(paymentService.acts, given);
}
