import { setImmediate } from "node:timers/promises";
import type { ScenarioResult } from "../scenario/run-scenario.ts";

/**
 * Waits for a story, and lets it fail for a promise that it left behind and that is rejected when the story ends, such as that of a held
 * call that nobody awaits: Node would end the process, and with it all other stories.
 */
export async function hearingRejections(story: Promise<ScenarioResult>): Promise<ScenarioResult> {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on("unhandledRejection", hear);
  try {
    const result = await story;
    // What the end of the story rejects is known as unhandled only after some turns of the event loop.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    const [cause] = unheard;
    if (unheard.length === 0 || !result.passed) return result;
    return { ...result, passed: false, error: new Error(leftBehind(cause), { cause }) };
  } finally {
    process.off("unhandledRejection", hear);
  }
}

function leftBehind(cause: unknown): string {
  const isBrokenOff =
    cause instanceof Error && /ECONNRESET|socket hang up|fetch failed/.test(`${codesOf(cause)} ${cause.message}`);
  return isBrokenOff
    ? "The story left a call without an answer: its connection was broken when the story ended, and nobody awaits what became of it. Await the call, after the clock was moved where a fault holds it."
    : "The story left a promise behind that was rejected, and that nobody awaits.";
}

function codesOf(error: Error): string {
  const { code, cause } = error as Error & { readonly code?: unknown };
  return `${String(code)} ${cause instanceof Error ? codesOf(cause) : ""}`;
}
