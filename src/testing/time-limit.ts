import { CentavoError } from "../errors/centavo-error.ts";
import { startTimer } from "../runtime/real-time.ts";

/** How long before the runner gives up the test has to end, in milliseconds: long enough to write the recording. */
const MARGIN = 250;
/** How much of a short limit that is at most. */
const LARGEST_SHARE = 0.1;
/** A longer one stands for none, and overflows timers. */
const LONGEST = 2 ** 31 - 1;

/**
 * Waits for a test, and fails it just before its runner would, which says only that it took too long.
 * @param timeout the runner's limit, in milliseconds of real time; 0 and undefined mean none
 * @param prepare called when half of the time has passed, to load what a failure needs
 * @throws {CentavoError} `TEST_TIMED_OUT`
 */
export async function withinTime(
  work: Promise<unknown>,
  timeout: number | undefined,
  prepare: () => void,
): Promise<void> {
  if (timeout === undefined || !(timeout > 0 && timeout <= LONGEST)) {
    await work;
    return;
  }
  const tooLate = Promise.withResolvers<never>();
  const callOffPreparation = startTimer(timeout / 2, prepare);
  const callOff = startTimer(timeout - Math.min(MARGIN, timeout * LARGEST_SHARE), () => {
    tooLate.reject(new CentavoError("TEST_TIMED_OUT", `The test did not end within ${timeout} ms.`));
  });
  try {
    await Promise.race([work, tooLate.promise]);
  } finally {
    callOffPreparation();
    callOff();
  }
}
