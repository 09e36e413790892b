/** A child process that opens and closes simulators of the built package. */
import { join } from "node:path";
import { answerParent } from "./child.ts";
import { median, microsecondsSince } from "./measure.ts";

/** Milliseconds: of processor time, but for the first, of real time. */
export interface OpeningFigures {
  /** What somebody waits for: V8's other threads compile and collect garbage meanwhile. */
  readonly first: number;
  readonly later: number;
  readonly close: number;
}

const ROUNDS = 15;
const TIMES = 40;

answerParent(async (): Promise<OpeningFigures> => {
  const { createSimulator } = await built<typeof import("../src/index.ts")>("index.js");
  const start = performance.now();
  const sim = createSimulator();
  const first = performance.now() - start;
  await sim.close();
  const rounds: { readonly later: number; readonly close: number }[] = [];
  for (let round = -ROUNDS; round < ROUNDS; round += 1) {
    const opening = process.cpuUsage();
    const sims = Array.from({ length: TIMES }, () => createSimulator());
    const later = microsecondsSince(opening) / 1000 / TIMES;
    const closing = process.cpuUsage();
    for (const each of sims) await each.close();
    if (round >= 0) rounds.push({ later, close: microsecondsSince(closing) / 1000 / TIMES });
  }
  return {
    first,
    later: median(rounds.map(({ later }) => later)),
    close: median(rounds.map(({ close }) => close)),
  };
});

/** The built package, as users load it. The types are those of the sources, because they are checked before the build. */
async function built<Entry>(file: string): Promise<Entry> {
  return (await import(join(import.meta.dirname, "../dist/esm", file))) as Entry;
}
