import { exam } from "centavo/exam";
import type { ExamOptions, Law } from "centavo/exam";
import { expect, test } from "vitest";
import {
  examOfShopThat,
  expectLoopFound,
  expectUnfinishedBy,
  forEver,
  forEverInMicrotasks,
  inCallback,
  lawThat,
  passesOn,
} from "./loops.ts";
import { examOfSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

test.for<[string, () => Promise<Response> | Response]>([
  ["in microtasks", forEverInMicrotasks],
  ["in a callback of process.nextTick", inCallback((callback) => process.nextTick(callback))],
  ["in a callback of setImmediate", inCallback((callback) => setImmediate(callback))],
  ["in callbacks of process.nextTick", () => new Promise(() => passesOn((callback) => process.nextTick(callback)))],
])("a loop is a broken law of the merchant, %s, with the act and the place", async ([, answers]) => {
  await expectLoopFound(examOfShopThat(answers));
});

test("the story of a loop is played again, and leaves the process and the next exam alone", async () => {
  const { Date: date, setTimeout: timeout } = globalThis;
  const looping = examOfShopThat(forEver);
  const again = await exam({ ...looping, replay: await expectLoopFound(looping) });
  expect(
    again.failures.map(({ law }) => law),
    String(again),
  ).toEqual(["nothing-waits-for-ever"]);
  expect([globalThis.Date, globalThis.setTimeout]).toEqual([date, timeout]);
  expect(await exam({ ...examOfSmallShop(), budget: { stories: 12 } })).toMatchObject({ stories: 12, failures: [] });
});

test("what was found before a loop is kept", async () => {
  let orders = 0;
  const shop = examOfSmallShop("fulfils each time");
  const verdict = await exam({
    ...shop,
    acts: { order: (context) => ((orders += 1) > 200 ? forEver() : (shop.acts.order?.(context) as Response)) },
    longestWait: 1,
  });
  expect(verdict.failures.map(({ law }) => law)).toEqual(
    expect.arrayContaining(["fulfilled-once", "nothing-waits-for-ever"]),
  );
});

test("the law whose story was being shortened is kept", async () => {
  const shop = examOfSmallShop();
  let isBroken = false;
  const breaches: Law["breaches"] = ({ seen }) => {
    isBroken ||= seen.told.length > 1;
    return isBroken ? [{ what: "broken" }] : [];
  };
  const verdict = await exam({
    ...shop,
    acts: { order: (context) => (isBroken ? forEver() : (shop.acts.order?.(context) as Response)) },
    laws: { mine: { name: "mine", sentence: "None.", remedy: "None.", holds: "always", breaches } },
    longestWait: 1,
  });
  expect(verdict.failures.map(({ law }) => law)).toContain("mine");
});

test.for<[string, Partial<ExamOptions<Orders>>]>([
  ["the law mine", lawThat(forEver)],
  ["books", { books: () => new Promise(() => process.nextTick(forEver)) }],
  ["the call store.open", { store: { open: forEver, isWrite: () => false, rollBack: () => undefined } }],
])("a loop does not accuse the merchant where it is in %s", async ([what, more]) => {
  await expectUnfinishedBy(what, more);
});

test("a merchant that only waits is not accused, such as for a lock of its database", async () => {
  const sleepers = new Int32Array(new SharedArrayBuffer(4));
  const verdict = await exam(examOfShopThat(() => new Response(Atomics.wait(sleepers, 0, 0))));
  expect(verdict.failures).toEqual([]);
  expect(verdict.endedEarly).toEqual([
    "The merchant's program waited, while it answered POST /orders (the act order of order-1), and did not yield to the event loop.",
  ]);
});
