import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import type { ScenarioResult } from "../scenario/run-scenario.ts";

/** Says that an error was thrown where neither the story nor its shop caught it. */
export const UNCAUGHT = "An error was thrown that nothing caught, such as in a timer or in a listener.";

/** Waits for a story, and fails it if it leaves a rejected promise behind, such as a held call that is not awaited. */
export async function leftBehind(story: Promise<ScenarioResult>): Promise<ScenarioResult> {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  try {
    const result = await story;
    await fewTurns();
    const [cause] = rejections;
    if (rejections.length === 0 || !result.passed) return result;
    return { ...result, passed: false, error: new Error(inWords(cause), { cause }) };
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

/** Waits for what the code before left for the next turns of the event loop, a few of which pass before Node reports an unhandled rejection. */
export async function fewTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextMacrotask();
}

function inWords(cause: unknown): string {
  return isBrokenOff(cause)
    ? "The story left a call unanswered and did not await it, so its connection broke when the story ended. Await the call; if a fault holds it, move the clock first."
    : "The story left behind a rejected promise that was never awaited.";
}

/** Searches an error and its causes. A value that cannot be read is not a connection error. */
function isBrokenOff(error: unknown): boolean {
  try {
    if (!(error instanceof Error)) return false;
    const { code, cause } = error as Error & { readonly code?: unknown };
    return /ECONNRESET|socket hang up|fetch failed/.test(`${String(code)} ${error.message}`) || isBrokenOff(cause);
  } catch {
    return false;
  }
}
