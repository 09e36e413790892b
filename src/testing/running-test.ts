import { AsyncLocalStorage } from "node:async_hooks";
import type { TestOfWorld } from "../kit/http/callable-service.ts";
import type { TestIdentity } from "./test-session.ts";

/** How much of the beginning and end of a long name messages show, in characters. The end distinguishes the tests of a file. */
const BEGINNING = 40;
const END = 80;

/** The session of the running test. */
const running = new AsyncLocalStorage<object>();

/** Runs code of a test. */
export function runAs<Result>(session: object, test: () => Result): Result {
  return running.run(session, test);
}

/** Treats everything that the caller does from now on as code of a test, for a runner that calls the test itself. */
export function continueAs(session: object): void {
  running.enterWith(session);
}

/** Returns what a world needs to know about its test. */
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

/** A test without a name is named after its source, which may be long. */
function shortened(name: string): string {
  const line = name.replaceAll(/\s+/g, " ");
  return line.length <= BEGINNING + END ? line : `${line.slice(0, BEGINNING)}…${line.slice(-END)}`;
}
