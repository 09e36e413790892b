import { join } from "node:path";
import { startVitest } from "vitest/node";
import { showProgress } from "./progress.ts";
import type { Bound, Figure } from "./table.ts";
import type { TestMeta } from "./tests-in-vitest.ts";

const root = join(import.meta.dirname, "..");
/** Milliseconds. */
const COST: Bound = { of: "value", atMost: 2, goal: 0.5 };

/** Measures what `withSimulator` adds to a test that does nothing, in vitest. */
export async function measureWithSimulator(): Promise<Figure[]> {
  showProgress("withSimulator");
  const bare = await millisecondsEach("bare");
  const simulated = await millisecondsEach("simulated");
  return [
    {
      what: "What `withSimulator` adds to a test that does nothing: its simulator, the faked `Date`, the end of both; compared with the bare test",
      unit: "ms",
      value: simulated - bare,
      beside: bare,
      bound: COST,
    },
  ];
}

async function millisecondsEach(tests: "bare" | "simulated"): Promise<number> {
  const built = (name: string): string => join(root, "dist/esm", `${name}.js`);
  const vitest = await startVitest(
    "test",
    [],
    {
      root,
      config: false,
      include: ["bench/tests-in-vitest.ts"],
      pool: "forks",
      watch: false,
      reporters: [{}],
      env: { BENCH_TESTS: tests },
      server: { deps: { external: [/\/dist\/esm\//] } },
    },
    { resolve: { alias: { "centavo/vitest": built("vitest") } } },
  );
  const [file] = vitest.state.getTestModules();
  const all = [...(file?.children.allTests() ?? [])].at(-1);
  const { microseconds } = (all?.meta() ?? {}) as TestMeta;
  await vitest.close();
  if (microseconds === undefined) throw new Error("The tests in vitest told nothing.");
  return microseconds / 1000;
}
