import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../scripts/install-packages.ts";
import { installPacked } from "../test/packed.ts";
import { median, root, runNode } from "./measure.ts";
import type { FileCost, Figures } from "./figures.ts";

const ROUNDS = 5;
const TESTS = 20;
/** The tests of the longer file, of which all but the first 20 are warm. */
const MORE_TESTS = 220;

/** Every kind of mock of `cold-file/`, and a simulator for each test as the guide has it. */
const mocks = ["empty", "stub", "agent", "intercept", "documented", "msw2", "msw3"] as const;

const runners: Readonly<Record<string, readonly string[]>> = {
  vitest: [join(root, "node_modules/vitest/vitest.mjs"), "run", "--maxWorkers", "1"],
  "node:test": ["--test-isolation=none", "--test", "node.test.mjs"],
};

/** Measures what a test file of 20 small tests costs with each kind of mock, against the packed tarball. */
export async function measureFiles(): Promise<Figures["files"]> {
  await installPackages("installs/peers/msw-2");
  const { folder } = installPacked("bench");
  cpSync(join(import.meta.dirname, "cold-file"), folder, { recursive: true });
  symlinkSync(join(root, "installs/peers/msw-2/node_modules/msw"), join(folder, "node_modules/msw-2"), "junction");
  writeFileSync(join(folder, "vitest.config.mjs"), 'export default { test: { include: ["vitest.test.mjs"] } };\n');
  return Object.fromEntries(Object.keys(runners).map((runner) => [runner, measureRunner(runner, folder)]));
}

function measureRunner(runner: string, folder: string): Record<string, FileCost> {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    // In one round forwards, in the next backwards, because the machine's speed drifts.
    const order = round % 2 === 0 ? mocks : mocks.toReversed();
    return new Map(order.map((mock) => [mock, costsOf(runner, mock, folder)]));
  });
  return Object.fromEntries(
    mocks.slice(1).map((mock) => {
      const costs = rounds.map((round) => {
        const [few = 0, many = 0] = round.get(mock) ?? [];
        const [empty = 0, manyEmpty = 0] = round.get("empty") ?? [];
        const cold = few - empty;
        return { cold, warm: ((many - manyEmpty - cold) * TESTS) / (MORE_TESTS - TESTS) };
      });
      const cost = { cold: median(costs.map(({ cold }) => cold)), warm: median(costs.map(({ warm }) => warm)) };
      console.log(`${runner}, ${mock}: ${cost.cold.toFixed(0)} ms cold, ${cost.warm.toFixed(1)} ms warm`);
      return [mock, cost];
    }),
  );
}

/** The milliseconds of a file with few tests, and with more. */
function costsOf(runner: string, mock: string, folder: string): readonly number[] {
  return [TESTS, MORE_TESTS].map((tests) => {
    const variables = { MOCK: mock, TESTS: String(tests) };
    return runNode(runners[runner] ?? [], { cwd: folder, variables }).milliseconds;
  });
}
