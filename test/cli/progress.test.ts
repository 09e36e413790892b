import { expect, test } from "vitest";
import { standardOutput } from "../../src/cli/output.ts";
import type { OutputStream } from "../../src/cli/output.ts";
import { ProgressLine, type Terminal } from "../../src/cli/progress-line.ts";
import { run } from "../../src/cli/run.ts";
import { ShakeProgress } from "../../src/cli/shake-progress.ts";
import { after, HOUR } from "../instants.ts";

const ERASE = "\r\u001B[2K";
const NEW_YEAR = "2026-01-01T00:00:00.000Z";

const exit = (): undefined => undefined;

function fakeTerminal(columns = 80): { terminal: Terminal; written: string[] } {
  const written: string[] = [];
  return { written, terminal: { isTTY: true, columns, write: (text) => written.push(text) } };
}

test("a line is drawn once a story takes long, drawn over ten times a second, and erased at its end", () => {
  const { terminal, written } = fakeTerminal();
  let time = 5000;
  const line = new ProgressLine(terminal, () => time);
  line.begin("renewals");
  for (let timer = 1; timer <= 4000; timer += 1) {
    time += 0.125;
    line.reached(timer, () => after(NEW_YEAR, timer * HOUR));
  }
  line.end();
  line.end();
  expect(written).toEqual([
    `${ERASE}renewals  2026-04-11T00:00:00.000Z  2,400 timers, 8,000/s`,
    `${ERASE}renewals  2026-05-14T08:00:00.000Z  3,200 timers, 8,000/s`,
    `${ERASE}renewals  2026-06-16T16:00:00.000Z  4,000 timers, 8,000/s`,
    ERASE,
  ]);
});

test("a short story draws nothing, and the next one counts anew", () => {
  const { terminal, written } = fakeTerminal();
  let time = 0;
  const line = new ProgressLine(terminal, () => time);
  line.begin("first");
  line.reached(1, () => NEW_YEAR);
  line.end();
  time = 1000;
  line.begin("second");
  time = 1400;
  line.reached(1, () => NEW_YEAR);
  expect(written).toEqual([`${ERASE}second  2026-01-01T00:00:00.000Z  1 timers, 3/s`]);
});

test.for([
  [20, "a-story-with-a-long"],
  [0, "a-story-with-a-long-name  2026-01-01T00:00:00.000Z  1 timers, 1/s"],
] as const)(
  "the line is never longer than the %i columns of a terminal that knows its width",
  ([columns, expected]) => {
    const { terminal, written } = fakeTerminal(columns);
    let time = 0;
    const line = new ProgressLine(terminal, () => time);
    line.begin("a-story-with-a-long-name");
    time = 1000;
    line.reached(1, () => NEW_YEAR);
    expect(written).toEqual([`${ERASE}${expected}`]);
  },
);

test("a run tells its stories' moves to the line, and erases it before it prints", async () => {
  const { terminal, written } = fakeTerminal();
  let time = 0;
  const progress = new ProgressLine(terminal, () => (time += 400));
  const output = {
    print: (text: string) => void written.push(text),
    printError: () => undefined,
    colours: false,
    progress,
  };
  const never = new Promise<number>(() => undefined);
  expect(await run(["stories/passes.ts"], { way: "memory" }, output, import.meta.dirname, () => never)).toBe(0);
  expect(written[0]).toMatch(/passes {2}2026-01-01 00:00 {2}1 timers, /);
  expect(written.slice(written.indexOf(ERASE))).toEqual([
    ERASE,
    expect.stringContaining("passes: A card pays at once"),
    expect.stringContaining("» The customer pays"),
    expect.stringContaining("passed"),
    "1 of 1 story passed",
  ]);
});

test("progress is shown in a terminal, and neither in a pipe nor in CI", () => {
  const terminal = fakeStream(true);
  const pipe = fakeStream(false);
  expect(standardOutput({ stdout: pipe, stderr: terminal, env: {}, exit })).toMatchObject({
    colours: false,
    progress: expect.any(ProgressLine) as ProgressLine,
  });
  expect(standardOutput({ stdout: terminal, stderr: pipe, env: {}, exit })).toMatchObject({ colours: true });
  expect(standardOutput({ stdout: terminal, stderr: pipe, env: {}, exit }).progress).toBeUndefined();
  expect(standardOutput({ stdout: terminal, stderr: terminal, env: { CI: "true" }, exit }).progress).toBeUndefined();
});

test.for([{ TERM: "dumb" }, { NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }, { FORCE_COLOR: "0" }])(
  "a terminal gets no escapes with %o",
  (env) => {
    const terminal = fakeStream(true);
    const output = standardOutput({ stdout: terminal, stderr: terminal, env, exit });
    expect(output.colours).toBe(false);
    expect(output.progress).toBeUndefined();
  },
);

test("FORCE_COLOR gives a pipe colours", () => {
  const pipe = fakeStream(false);
  const { colours, progress } = standardOutput({ stdout: pipe, stderr: pipe, env: { FORCE_COLOR: "1" }, exit });
  expect([colours, progress]).toEqual([true, undefined]);
});

function fakeStream(isTTY: boolean): OutputStream {
  return { isTTY, write: () => true, on: () => undefined };
}

/** Plays the runs of a shake, each of 2.5 seconds, and returns what the terminal and standard error get. */
function shaking(limits: ConstructorParameters<typeof ShakeProgress>[1], needed: number, isTold = true) {
  const { terminal, written } = fakeTerminal();
  let time = 1000;
  const now = (): number => time;
  const output = {
    print: () => undefined,
    printError: (text: string) => void written.push(`${text}\n`),
    colours: false,
    progress: new ProgressLine(terminal, now),
  };
  const progress = new ShakeProgress(output, limits, now);
  for (let number = 0; number <= needed; number += 1) {
    progress.reached(number);
    time += 2500;
    if (number === 0) progress.planned(needed, isTold);
  }
  progress.end();
  return written;
}

test("a shake shows which run it makes, and how long the others take", () => {
  expect(shaking({}, 53).filter((_, index) => index < 5 || index > 52)).toEqual([
    `${ERASE}the first run, in which nothing goes wrong`,
    ERASE,
    "53 runs of your suite follow, of about 2.5 s each, so about 2 minutes. --seconds, --max-runs or --only shorten it.\n",
    `${ERASE}run 1 of 53, about 2 minutes left`,
    `${ERASE}run 2 of 53, about 2 minutes left`,
    `${ERASE}run 51 of 53, about 7.5 s left`,
    `${ERASE}run 52 of 53, about 5.0 s left`,
    `${ERASE}run 53 of 53, about 2.5 s left`,
    ERASE,
  ]);
});

test.for([
  [{}, 1, "1 run of your suite follows, of about 2.5 s.\n"],
  [{ maxRuns: 1 }, 9, "1 run of your suite follows, of about 2.5 s.\n"],
  [
    { jobs: 4 },
    40,
    "40 runs of your suite follow, 4 at once, of about 2.5 s each, so about 25 s. --seconds, --max-runs or --only shorten it.\n",
  ],
  [
    { seconds: 60 },
    5000,
    "5000 runs of your suite would take about 3 hours, at about 2.5 s each; --seconds 60 ends them sooner.\n",
  ],
] as const)("a shake with %o says how long %i runs take", ([limits, needed, line]) => {
  expect(shaking(limits, needed)).toContain(line);
});

test("a replay of a trouble, and a shake without a run, promise nothing", () => {
  expect(shaking({}, 2, false).filter((text) => text.endsWith("\n"))).toEqual([]);
  expect(shaking({}, 0).filter((text) => text.endsWith("\n"))).toEqual([]);
});
