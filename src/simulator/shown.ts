import { inWords } from "../kit/base/errors/in-words.ts";
import type { Simulator } from "./simulator.ts";

/** In characters. */
const LONGEST = 100;

/** Whether a value is a simulator, of this build or of the other. */
export function isSimulator(value: unknown): value is Simulator {
  return isObject(value) && "internals" in value && "clock" in value && "journal" in value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Writes a value for a message: short, and without its inner parts. */
export function shown(value: unknown): string {
  if (isSimulator(value)) return `[Simulator] (at ${value.clock.now()}, ${value.journal.length} journal entries)`;
  if (typeof value === "function") return "a function";
  if (isObject(value) && typeof value["then"] === "function") return "a promise: await it first";
  const text = inWords(withoutSimulators(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A simulator in a value would fill the message with its rows. */
function withoutSimulators(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => (isSimulator(part) ? "[Simulator]" : (part as unknown)));
  if (!isObject(value) || !Object.values(value).some(isSimulator)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isSimulator(part) ? "[Simulator]" : part]),
  );
}
