import { scheduler, setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

/** Goes on in one turn of the event loop after another. */
async function yieldsForEver(takeTurn: () => Promise<unknown>): Promise<never> {
  for (;;) await takeTurn();
}
function setsImmediates(): void {
  setImmediate(setsImmediates);
}
/** Sends itself one message after another. */
function writesToItself(from: MessagePort | BroadcastChannel, to: MessagePort | BroadcastChannel): void {
  const write = (): void => Reflect.apply(to.postMessage, to, ["again"]);
  from.addEventListener("message", write);
  if (from instanceof MessagePort) from.start();
  write();
}
const inTurns = (turns: number): Promise<void> =>
  turns === 0 ? Promise.resolve() : new Promise((resolve) => setImmediate(resolve)).then(() => inTurns(turns - 1));

/** An exam of a shop that does something else with requests to one path. */
function examOfShopThat(path: string, does: (opening: Opening<Orders>) => Promise<unknown>): ExamOptions<Orders> {
  return {
    ...examOfSmallShop(),
    open: (opening) => {
      const shop = openSmallShop(opening);
      return async (request: Request) => {
        if (new URL(request.url).pathname === path) await does(opening);
        return shop(request);
      };
    },
    budget: { stories: 1 },
  };
}

const neverEnds = (where: string): object => ({
  law: "nothing-waits-for-ever",
  what: `The merchant's program took 100000 turns of the event loop one after another, ${where}. A loop in it never ends.`,
});

test.for<[string, () => unknown]>([
  ["setImmediate", setsImmediates],
  ["awaited immediates", () => yieldsForEver(() => new Promise((resolve) => setImmediate(resolve)))],
  ["setImmediate made a promise", () => yieldsForEver(promisify(setImmediate))],
  ["setImmediate of node:timers/promises", () => yieldsForEver(nextTurn)],
  ["scheduler.yield", () => yieldsForEver(() => scheduler.yield())],
  [
    "a MessageChannel",
    () => {
      const { port1, port2 } = new MessageChannel();
      writesToItself(port1, port2);
    },
  ],
  [
    "a BroadcastChannel",
    () => writesToItself(new BroadcastChannel("of the shop"), new BroadcastChannel("of the shop")),
  ],
])("a request that yields for ever breaks a law, with the act and the place: %s", async ([, begin]) => {
  const options = examOfShopThat("/orders", () => new Promise(() => begin()));
  const verdict = await exam(options);
  expect(verdict.failures, String(verdict)).toMatchObject([
    neverEnds("while it answered POST /orders (the act order of order-1)"),
  ]);
  const again = await exam({ ...options, replay: verdict.failures[0]?.token ?? "" });
  expect(again.failures.map(({ digest }) => digest)).toEqual(verdict.failures.map(({ digest }) => digest));
});

test.for<[string, ExamOptions<Orders>, string]>([
  [
    "in the background",
    {
      ...examOfSmallShop(),
      open: (opening) => {
        setsImmediates();
        return openSmallShop(opening);
      },
    },
    "while it started",
  ],
  [
    "while it answers an event",
    examOfShopThat("/hooks", () => new Promise(setsImmediates)),
    "while it answered POST /hooks (payment_intent.processing)",
  ],
  [
    "after its answer",
    examOfShopThat("/orders", async () => setsImmediates()),
    "while it answered POST /orders (the act order of last-1)",
  ],
])("a program that yields for ever breaks a law %s", async ([, options, where]) => {
  const verdict = await exam({ ...options, budget: { stories: 1 } });
  expect(verdict.failures, String(verdict)).toContainEqual(expect.objectContaining(neverEnds(where)));
});

test("a request may take thousands of turns", async () => {
  const verdict = await exam(examOfShopThat("/orders", () => inTurns(5000)));
  expect(verdict.failures, String(verdict)).toEqual([]);
});

test.for<[string, (opening: Opening<Orders>) => Promise<unknown>]>([
  ["its call to the service", ({ fetch, sim }) => fetch(`${sim.baseUrl}/api/unknown`)],
  ["its timer", ({ sleep }) => sleep("30 seconds")],
])("a request may take turns until %s has ended", async ([, work]) => {
  const options = examOfShopThat("/orders", async (opening) => {
    const state = { isOver: false };
    void work(opening).then(() => (state.isOver = true));
    while (!state.isOver) await nextTurn();
  });
  const verdict = await exam(options);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
