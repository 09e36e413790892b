const SHORT = 64 * 1024;
const LONG = 1024 * 1024;
const ROUNDS = 7;
/** Below the resolution of the count, a ratio says nothing. Microseconds. */
const LEAST_WORK = 500;

/** Work in proportion to the text grows 16-fold with it, quadratic work 256-fold. */
export const MOST_GROWTH = 64;

/**
 * Returns how much more processor time work takes on a text of 1 MiB than on one of 64 KiB. Everything else on the machine only adds to
 * the time, so the least of several rounds counts, and the first round in which the growth is small decides.
 * @param prepare makes the text, and returns the work on it
 */
export async function growthOf(prepare: (length: number) => () => unknown): Promise<number> {
  const [onShort, onLong] = [prepare(SHORT), prepare(LONG)];
  let [short, long, growth] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS && growth >= MOST_GROWTH; round += 1) {
    short = Math.min(short, await timeOf(onShort));
    long = Math.min(long, await timeOf(onLong));
    growth = long / Math.max(short, LEAST_WORK);
  }
  return growth;
}

async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
