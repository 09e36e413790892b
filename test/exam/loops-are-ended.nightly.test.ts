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
import { exam } from "centavo/exam";

test.for<[string, () => Promise<Response>]>([
  ["after it has yielded", () => new Promise((resolve) => setTimeout(resolve, 10)).then(forEver)],
  ["in a callback of queueMicrotask", inCallback((callback) => queueMicrotask(callback))],
  ["in callbacks of queueMicrotask", () => new Promise(() => passesOn((callback) => queueMicrotask(callback)))],
])("a loop is a broken law of the merchant, %s, with the act and the place", async ([, answers]) => {
  const options = examOfShopThat(answers);
  expect((await exam({ ...options, replay: await expectLoopFound(options) })).failures).toHaveLength(1);
});

test.for([
  [
    "the law mine",
    lawThat(() => {
      void forEverInMicrotasks();
      return [];
    }),
  ],
  ["books", { books: forEver }],
  [
    "the call store.close",
    {
      store: { open: () => new Map(), isWrite: () => false, rollBack: () => undefined, close: forEver },
      budget: { stories: 2 },
    },
  ],
] as const)("a loop does not accuse the merchant where it is in %s", async ([what, more]) => {
  await expectUnfinishedBy(what, more);
});

test("a program is told that it did too much where its timers never end", async () => {
  const shop = examOfSmallShop();
  const verdict = await exam({
    ...shop,
    open: (opening) => {
      for (let timer = 0; timer < 110_000; timer += 1) setTimeout(() => undefined, timer);
      return shop.open(opening);
    },
    budget: { stories: 1 },
  });
  expect(verdict.failures.map(({ what }) => what)).toContain(
    "The merchant did more than 100000 things in one story, which was broken off, while it started.",
  );
});
