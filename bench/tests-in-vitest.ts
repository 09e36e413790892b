/** A test file for `bench/with-simulator.ts`: tests that do nothing, bare or with a simulator each, and what each took. */
import { test as base } from "vitest";
import { withSimulator } from "centavo/vitest";
import { median, microsecondsSince } from "./measure.ts";

/** What the last test of the file tells of itself. */
export interface TestMeta {
  microseconds?: number;
}

const ROUNDS = 11;
const TESTS = 100;
const WARM_UP = 3;

const isSimulated = process.env["BENCH_TESTS"] === "simulated";
const simulated = withSimulator(base);
const rounds: number[] = [];
let start = process.cpuUsage();

for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  base(`round ${round} begins`, () => {
    start = process.cpuUsage();
  });
  for (let index = 0; index < TESTS; index += 1) {
    const name = `${round}, ${index}`;
    if (isSimulated) simulated(name, ({ sim }) => void sim);
    else base(name, () => undefined);
  }
  base(`round ${round} ends`, () => {
    if (round >= 0) rounds.push(microsecondsSince(start) / TESTS);
  });
}

base("all", ({ task }) => {
  (task.meta as TestMeta).microseconds = median(rounds);
});
