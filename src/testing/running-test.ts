import { AsyncLocalStorage } from "node:async_hooks";
import type { TestOfWorld } from "../kit/http/callable-service.ts";
import type { TestIdentity } from "./test-session.ts";

/** How much of a long name messages show of its beginning and of its end, in characters. The end tells the tests of a file apart. */
const BEGINNING = 40;
const END = 80;

/** The session of the test whose code runs now. */
const running = new AsyncLocalStorage<object>();

/** Runs the code of a test. */
export function runAs<Result>(session: object, test: () => Result): Result {
  return running.run(session, test);
}

/** Makes everything that the caller does from now on count as code of a test, for a runner that calls the test itself. */
export function continueAs(session: object): void {
  running.enterWith(session);
}

/** Returns what a world has to know about its test. */
export function testOf(
  session: object,
  { seedName, withOptions }: Pick<TestIdentity, "seedName" | "withOptions">,
): TestOfWorld {
  return {
    worldName: `the world of the test "${shortened(seedName)}"`,
    isRunning: () => running.getStore() === session,
    withOptions,
  };
}

/** A test that has no name is named by its source, which may be long. */
function shortened(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.length <= BEGINNING + END ? line : `${line.slice(0, BEGINNING)}…${line.slice(-END)}`;
}
