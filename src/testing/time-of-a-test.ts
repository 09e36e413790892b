/** Returns how long the runner lets the running test last, in milliseconds, if it tells. */
export type TimeOfTest = () => number | undefined;

let timeOfTest: TimeOfTest = () => undefined;

/** Takes from a runner's entry how that runner tells the time of a test. */
export function takeTimeOfTest(from: TimeOfTest): void {
  timeOfTest = from;
}

/** Warns that the runner will end the running test too early, before it does and no verdict is ever seen. */
export function warnOfShortTest(call: string, milliseconds: number): void {
  const time = timeOfTest();
  // A runner without a limit tells 0 or Infinity.
  if (time === undefined || time === 0 || milliseconds < time || !Number.isFinite(milliseconds)) return;
  const needed = Math.ceil((milliseconds * 3) / 10_000) * 10_000;
  globalThis.process?.emitWarning?.(
    `${call} may take ${milliseconds / 1000} seconds, and this test ends after ${time / 1000}. Give the test more time: test("…", { timeout: ${needed.toLocaleString("en").replaceAll(",", "_")} }, …).`,
    "CentavoWarning",
  );
}
