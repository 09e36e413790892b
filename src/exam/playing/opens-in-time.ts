import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { endsWithin } from "../../kit/base/runtime/real-time.ts";

/** How long `open` may take, in milliseconds of real time. */
const LONGEST_START = 5000;

/**
 * Waits for an `open` that takes real time, such as one that opens files or databases.
 * @throws {CentavoError} `INVALID_OPTION` when it takes too long
 */
export async function opensInTime(opened: Promise<unknown>): Promise<void> {
  if (await endsWithin(opened, LONGEST_START)) return;
  throw new CentavoError(
    "INVALID_OPTION",
    "exam: open did not return the app within two minutes of virtual time, nor within five seconds of real time. It waits for something that never happens; start only what an app needs to answer.",
  );
}
