import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { assertPassed } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { examOfShopThat } from "./loops.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const never = (): Promise<never> => new Promise(() => undefined);
const adapter = {
  open: () => new Map() as Orders,
  isWrite: () => false,
  rollBack: () => undefined,
  close: () => undefined,
};

describe("a wait that ends by real time", () => {
  test.for<[string, object]>([
    ["store.open", { open: never }],
    ["store.keep", { keep: never, putBack: () => undefined }],
    ["store.putBack", { putBack: never }],
    ["store.rollBack", { rollBack: never }],
    ["store.close", { close: never }],
  ])("leaves the exam unfinished, and names %s", async ([name, more]) => {
    const verdict = await exam({ ...examOfSmallShop(), store: { ...adapter, ...more }, longestWait: 0.2 });
    expect(verdict.failures).toEqual([]);
    expect(verdict.outcome).toBe("unfinished");
    expect(verdict.unfinished).toContain(`The call ${name} did not end within 0.2 seconds of real time`);
  });

  test("leaves the exam unfinished, and names open", async () => {
    const verdict = await exam({ ...examOfSmallShop(), open: never, longestWait: 0.2 });
    expect(verdict.outcome).toBe("unfinished");
    expect(verdict.unfinished).toContain(
      "The call open did not end within 0.2 seconds of real time. If it is only slow, raise the option longestWait.",
    );
    expect(() => assertPassed(verdict)).not.toThrow("larger budget");
    expect(() => assertPassed(verdict)).toThrow("The exam is unfinished");
  });

  test("ends soon after the budget", async () => {
    const began = performance.now();
    const verdict = await exam({
      ...examOfSmallShop(),
      store: { ...adapter, rollBack: never },
      budget: { seconds: 0.1 },
    });
    expect(verdict.unfinished).toContain("The budget was spent while the call store.rollBack took place");
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

describe("a program that waits for nothing but time", () => {
  const SECOND = 1000;
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  /** Opens the small shop, which does something else as well. */
  const beside = (also: (opening: Opening<Orders>) => unknown): ExamOptions<Orders> => ({
    ...examOfSmallShop(),
    open: (opening) => {
      also(opening);
      return openSmallShop(opening);
    },
    budget: { stories: 2 },
  });

  test.for<[string, (opening: Opening<Orders>) => unknown]>([
    [
      "a timer that sets itself again",
      () => {
        const tick = (): void => void setTimeout(tick, SECOND);
        tick();
      },
    ],
    [
      "a loop that sleeps",
      async ({ sleep }) => {
        for (;;) await sleep(1);
      },
    ],
    [
      "a loop that pauses",
      async () => {
        for (;;) await pause(SECOND);
      },
    ],
    ["an interval", () => setInterval(() => undefined, 1)],
    [
      "a hundred thousand timers",
      () => {
        for (let timer = 0; timer < 100_000; timer += 1) setTimeout(() => undefined, 20 * 24 * 3600 * SECOND);
      },
    ],
  ])("is examined like any other: %s", async ([, also]) => {
    const verdict = await exam(beside(also));
    expect(verdict).toMatchObject({ stories: 2, failures: [], endedEarly: [] });
  });

  test("is told that a handler never answers which polls for ever", async () => {
    const verdict = await exam({
      ...examOfShopThat(async () => {
        for (;;) await pause(SECOND);
      }),
      budget: { stories: 1 },
    });
    expect(verdict.failures.map(({ law, what }) => `${law}: ${what}`)).toContain(
      "nothing-waits-for-ever: A customer's request, POST /orders, was never answered.",
    );
  });

  test("is told that it did too much at one moment", async () => {
    const verdict = await exam({
      ...beside(() => {
        for (let timer = 0; timer < 5000; timer += 1) setTimeout(() => undefined, SECOND);
      }),
      budget: { stories: 1 },
    });
    expect(verdict.failures.map(({ what }) => what)).toContain(
      "The merchant did so much at one moment that its story was broken off, while it started.",
    );
  });
});

describe("an answer whose body never ends", () => {
  test.for<[string, number, UnderlyingDefaultSource<Uint8Array>]>([
    ["that nobody writes", 200, {}],
    ["of a refusal", 500, {}],
    ["in pieces without end", 200, { pull: (controller) => controller.enqueue(new Uint8Array(1)) }],
    ["in empty pieces", 200, { pull: (controller) => controller.enqueue(new Uint8Array()) }],
    ["of a refusal in pieces without end", 500, { pull: (controller) => controller.enqueue(new Uint8Array(1)) }],
  ])("is a broken law, with the act: a body %s", async ([, status, source]) => {
    const verdict = await exam({
      ...examOfShopThat(() => new Response(new ReadableStream(source), { status })),
      budget: { stories: 1 },
    });
    expect(verdict.failures.map(({ what }) => what)).toContain(
      "The body of the answer to the act order of order-1 never ended.",
    );
  });

  test("is read only in part where it is written for ever", async () => {
    const endless = {
      pull: (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536)),
    };
    const verdict = await exam({
      ...examOfShopThat(() => new Response(new ReadableStream(endless))),
      budget: { stories: 1 },
    });
    expect(verdict.stories).toBe(1);
  });
});

test("books of twenty thousand orders are judged in a moment", async () => {
  const old = Array.from({ length: 20_000 }, (_, index) => ({
    id: `old-${index}`,
    status: "paid",
    fulfilments: 1,
    amount: 1,
  }));
  const shop = examOfSmallShop();
  const verdict = await exam({
    ...shop,
    books: ({ store }) => ({ orders: [...old, ...store.values()] }),
    budget: { stories: 2 },
  });
  expect(verdict.stories).toBe(2);
});
