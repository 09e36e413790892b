import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { everyStep } from "../kit/base/errors/every-step.ts";
import { fakedTimers } from "../kit/base/runtime/fakes.ts";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { takeUnhandled } from "../kit/base/runtime/unhandled.ts";
import type { ReadOptions } from "./read-options.ts";
import { interceptCalls } from "./playing/interception.ts";
import { makeCallbacksInterruptible } from "../merchant/process/interruptible-callbacks.ts";
import { takeThrown } from "../merchant/process/merchant-process.ts";
import { replaceGlobals } from "../merchant/process/merchant-globals.ts";

/**
 * Prepares the process for an exam.
 * @returns a function that restores it
 * @throws {CentavoError} `INTERCEPTION_REFUSED` while fake timers replace what Node itself needs
 */
export async function beginExam({ intercept = false, running, storage }: ReadOptions): Promise<() => Promise<void>> {
  refuseFakedTurns();
  const stopInterception = intercept ? await interceptCalls(running) : () => undefined;
  const stopTaking = takeUnhandled((error) => takeThrown(error));
  const putBack = replaceGlobals();
  const putBackCallbacks = makeCallbacksInterruptible();
  return async () => {
    try {
      // Node reports a rejection only after the turn in which it happened.
      await nextMacrotask();
      everyStep(putBackCallbacks, putBack, stopTaking, stopInterception);
    } finally {
      await storage.close();
    }
  };
}

function refuseFakedTurns(): void {
  const faked = fakedTimers().filter((name) => name === "nextTick" || name === "queueMicrotask");
  if (faked.length === 0) return;
  throw new CentavoError(
    "INTERCEPTION_REFUSED",
    `exam: fake timers replace ${faked.join(" and ")}, which Node itself needs, so the merchant's program would never go on. ` +
      'Leave them real: jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] }), or use no fake timers: the exam has a virtual time of its own.',
  );
}
