import { type TestContext, testOfNow } from "../kit/base/runtime/test-context.ts";
import type { TestOfWorld } from "../kit/http/callable-service.ts";
import type { TestIdentity } from "./test-session.ts";

/** How much of the beginning and end of a long name messages show, in characters. The end distinguishes the tests of a file. */
const BEGINNING = 40;
const END = 80;

/** Returns what a world needs to know about its test. */
export function testOf(
  context: TestContext,
  { seedName, withOptions }: Pick<TestIdentity, "seedName" | "withOptions">,
): TestOfWorld {
  return {
    worldName: `the world of the test "${shortened(seedName)}"`,
    isRunning: () => testOfNow() === context,
    withOptions,
  };
}

/** A test without a name is named after its source, which may be long. */
function shortened(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.length <= BEGINNING + END ? line : `${line.slice(0, BEGINNING)}…${line.slice(-END)}`;
}
