const KIBIBYTE = 1024;
const TIMES_LONGER = 16;
const ROUNDS = 7;
/** Below the resolution of the count, a ratio says nothing. Microseconds. */
const LEAST_WORK = 500;

/** Work in proportion to the text grows 16-fold with it, quadratic work 256-fold. */
export const MOST_GROWTH = 64;

/**
 * Returns how much more processor time work takes on a text 16 times as long. Everything else on the machine only adds to the time, so
 * the least of several rounds counts, and the first round in which the growth is small decides.
 * @param prepare makes the text, and returns the work on it
 * @param short the length of the shorter text: by default 64 KiB, so that the other has 1 MiB
 */
export async function growthOf(prepare: (length: number) => () => unknown, short = 64 * KIBIBYTE): Promise<number> {
  const [onShort, onLong] = [prepare(short), prepare(short * TIMES_LONGER)];
  let [least, most, growth] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS && growth >= MOST_GROWTH; round += 1) {
    least = Math.min(least, await timeOf(onShort));
    most = Math.min(most, await timeOf(onLong));
    growth = most / Math.max(least, LEAST_WORK);
  }
  return growth;
}

async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
