import { expect, test } from "vitest";
import { MerchantProcess, takeThrown } from "../../../src/merchant/process/merchant-process.ts";
import { MerchantTime } from "../../../src/exam/playing/merchant-time.ts";
import { replaceGlobals } from "../../../src/merchant/process/merchant-globals.ts";
import { takeUnhandled } from "../../../src/kit/base/runtime/unhandled.ts";
import { nextMacrotask } from "../../../src/kit/base/runtime/real-time.ts";

/** A run of a program whose time is moved by hand. */
function startProgram() {
  const clock = { now: 0 };
  const time = new MerchantTime(() => clock.now);
  const thrown: unknown[] = [];
  const process = new MerchantProcess({
    time,
    fetchOf: () => () => Promise.resolve(new Response()),
    onThrown: (error) => thrown.push(error),
  });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.now += milliseconds;
    do await nextMacrotask();
    while (time.ringDue());
  };
  return { process, thrown, pass, run: <Result>(work: () => Result) => process.run({ kind: "open" }, work) };
}

test("never calls back the timers of a program that has ended", async () => {
  const putBack = replaceGlobals();
  try {
    const { process, pass, run } = startProgram();
    const called: string[] = [];
    run(() => {
      setTimeout(() => called.push("timeout"), 10);
      setInterval(() => called.push("interval"), 10);
      AbortSignal.timeout(10).addEventListener("abort", () => called.push("abort"));
    });
    await pass(10);
    expect(called.splice(0)).toEqual(["timeout", "interval", "abort"]);
    run(() => setTimeout(() => called.push("late"), 10));
    process.end();
    run(() => setTimeout(() => called.push("of the dead"), 10));
    await pass(1000);
    expect(called).toEqual([]);
  } finally {
    putBack();
  }
});

test("never brings an answer to a program that has ended", async () => {
  const { process, run } = startProgram();
  const answer = Promise.withResolvers<string>();
  const failure = Promise.withResolvers<string>();
  let heard = "nothing";
  run(() => {
    void process.waitFor(() => answer.promise).then(() => (heard = "an answer"));
    process.waitFor(() => failure.promise).catch(() => (heard = "a failure"));
  });
  process.end();
  answer.resolve("late");
  failure.reject(new Error("late"));
  await nextMacrotask();
  expect(heard).toBe("nothing");
});

test("hears what a living program throws in a timer, and nothing of a dead one", async () => {
  const putBack = replaceGlobals();
  try {
    const { process, run, thrown, pass } = startProgram();
    const fail = () => {
      throw new Error("in a timer");
    };
    run(() => setTimeout(fail, 10));
    await pass(10);
    expect(thrown).toEqual([new Error("in a timer")]);
    process.end();
    process.threw(new Error("of the dead"));
    expect(thrown).toHaveLength(1);
  } finally {
    putBack();
  }
});

test("a rejection of a dead program is dropped", async () => {
  const stopTaking = takeUnhandled(takeThrown);
  try {
    const { process, run } = startProgram();
    process.end();
    run(() => void Promise.reject(new Error("of the dead")));
    await nextMacrotask();
    await nextMacrotask();
  } finally {
    stopTaking();
  }
});
