/** A child process that answers every hostile request at two sizes, and tells the parent the worst of them. */
import { createSimulator } from "centavo";
import { answerParent } from "./child.ts";
import { tokenOf } from "./flow.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { median, microsecondsEach } from "./measure.ts";

const SHORT = 64 * 1024;
const LONG = 1024 * 1024;
const ROUNDS = 7;

export interface HostileFigures {
  readonly slowest: { readonly what: string; readonly milliseconds: number };
  readonly steepest: { readonly what: string; readonly growth: number };
}

answerParent(async (): Promise<HostileFigures> => {
  const figures = [];
  for (const { what, of } of hostileRequests) {
    const timeOf = async (size: number): Promise<number> => {
      const sim = createSimulator({ journal: { keep: 1 } });
      const { path, init } = of(size);
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${await tokenOf(sim)}`);
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        times.push(await microsecondsEach(1, async () => (await sim.fetch(path, { ...init, headers })).text()));
      return median(times) / 1000;
    };
    const milliseconds = await timeOf(LONG);
    figures.push({ what, milliseconds, growth: milliseconds / (await timeOf(SHORT)) });
  }
  const [slowest] = figures.toSorted((left, right) => right.milliseconds - left.milliseconds);
  const [steepest] = figures.toSorted((left, right) => right.growth - left.growth);
  if (slowest === undefined || steepest === undefined) throw new Error("There are no hostile requests.");
  return { slowest, steepest };
});
