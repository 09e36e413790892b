import type { Part } from "../../simulator/coverage-result.ts";
import { blocks } from "./blocks.ts";

const blockOf: ReadonlyMap<string, string> = new Map(
  blocks.flatMap(({ lines, reach }) => reach.map((key) => [key, lines] as const)),
);

/** Returns lines of a test that reach a part of the service, if there are any. */
export function linesFor(part: Part, name: string): string | undefined {
  return blockOf.get(`${part} ${name}`);
}
