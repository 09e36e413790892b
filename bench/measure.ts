/** The middle of the figures, so that one slow round says nothing. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError("There is no median of nothing.");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** By how much figures that were taken at equal distances rise from one to the next: the line with the least squares. */
export function slope(figures: readonly number[]): number {
  const middle = (figures.length - 1) / 2;
  let rise = 0;
  let run = 0;
  for (const [index, figure] of figures.entries()) {
    rise += (index - middle) * figure;
    run += (index - middle) ** 2;
  }
  return rise / run;
}

/** Microseconds of processor time per repetition of something asynchronous, done one after the other. */
export async function microsecondsEach(times: number, work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work();
  return microsecondsSince(start) / times;
}

/** What this process has computed since then, in microseconds; a machine that is busy with something else does not lengthen it. */
export function microsecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Median milliseconds of something synchronous over rounds of several repetitions. */
export function medianMilliseconds(rounds: number, times: number, work: () => unknown): number {
  const figures = Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let index = 0; index < times; index += 1) work();
    return (performance.now() - start) / times;
  });
  return median(figures);
}

/** Live heap in bytes after a full collection. */
export function heapInUse(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Heap is measured with node --expose-gc.");
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
