/** Returns the median, so that a single slow round does not count. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError("The median needs at least one figure.");
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** Returns the rise per step of figures at equal distances, by least squares. */
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

/** Returns the microseconds of processor time per repetition of asynchronous work, one after the other. */
export async function microsecondsEach(times: number, work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work();
  return microsecondsSince(start) / times;
}

/** Returns this process's processor time since then, in microseconds. Other load on the machine does not count. */
export function microsecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Returns the median milliseconds of synchronous work over rounds of several repetitions. */
export function medianMilliseconds(rounds: number, times: number, work: () => unknown): number {
  const figures = Array.from({ length: rounds }, () => {
    const start = performance.now();
    for (let index = 0; index < times; index += 1) work();
    return (performance.now() - start) / times;
  });
  return median(figures);
}

/** Returns the live heap in bytes after a full collection. */
export function heapInUse(): number {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Heap is measured with node --expose-gc.");
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}
