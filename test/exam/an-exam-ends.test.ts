import { exam } from "centavo/exam";
import type { ExamOptions, Law, Opening } from "centavo/exam";
import { assertPassed } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

/** An exam of a shop that does something else with a new order. */
function examOfShopThat(answers: () => Promise<Response> | Response): ExamOptions<Orders> {
  return {
    ...examOfSmallShop(),
    open: (opening) => {
      const shop = openSmallShop(opening);
      return (request: Request) => (new URL(request.url).pathname === "/orders" ? answers() : shop(request));
    },
    longestWait: 2,
  };
}

const forEver = (): never => {
  for (;;);
};
const forEverInMicrotasks = async (): Promise<never> => {
  for (;;) await Promise.resolve();
};

/** Passes on itself again and again. */
function passesOn(passOn: (callback: () => void) => void): void {
  passOn(() => passesOn(passOn));
}
/** Answers with the result of a callback. */
const inCallback = (begin: (callback: () => void) => void) => (): Promise<Response> =>
  new Promise((resolve) => begin(() => resolve(forEver())));

const never = (): Promise<never> => new Promise(() => undefined);
const adapter = {
  open: () => new Map() as Orders,
  isWrite: () => false,
  rollBack: () => undefined,
  close: () => undefined,
};

describe("a loop that never yields", () => {
  test.for<[string, () => Promise<Response> | Response]>([
    ["at once", forEver],
    ["after it has yielded", () => new Promise((resolve) => setTimeout(resolve, 10)).then(forEver)],
    ["in microtasks", forEverInMicrotasks],
    ["in a callback of process.nextTick", inCallback((callback) => process.nextTick(callback))],
    ["in a callback of queueMicrotask", inCallback((callback) => queueMicrotask(callback))],
    ["in a callback of setImmediate", inCallback((callback) => setImmediate(callback))],
    ["in callbacks of process.nextTick", () => new Promise(() => passesOn((callback) => process.nextTick(callback)))],
    ["in callbacks of queueMicrotask", () => new Promise(() => passesOn((callback) => queueMicrotask(callback)))],
  ])("is a broken law of the merchant, %s, with the act and the place", async ([, answers]) => {
    const looping = { ...examOfShopThat(answers), longestWait: 1 };
    const verdict = await exam(looping);
    expect(verdict.outcome, String(verdict)).toBe("failed");
    expect(verdict.failures).toMatchObject([
      {
        law: "nothing-waits-for-ever",
        story: ["Ana orders order-1 with pm_card_approved."],
        what: "The merchant's program did not yield for 1 seconds of real time, while it answered POST /orders (the act order of order-1). A loop in it never ends.",
      },
    ]);
    const token = verdict.failures[0]?.token ?? "";
    const again = await exam({ ...looping, replay: token });
    expect(
      again.failures.map(({ law }) => law),
      String(again),
    ).toEqual(["nothing-waits-for-ever"]);
  });

  test("keeps what was found before it", async () => {
    let orders = 0;
    const shop = examOfSmallShop("fulfils each time");
    const verdict = await exam({
      ...shop,
      acts: { order: (context) => ((orders += 1) > 400 ? forEver() : (shop.acts.order?.(context) as Response)) },
      longestWait: 2,
    });
    expect(verdict.failures.map(({ law }) => law)).toEqual(
      expect.arrayContaining(["fulfilled-once", "nothing-waits-for-ever"]),
    );
  });

  test.for<[string, Partial<ExamOptions<Orders>>]>([
    [
      "the law mine",
      { laws: { mine: { name: "mine", sentence: "None.", remedy: "None.", holds: "always", breaches: forEver } } },
    ],
    [
      "the law mine",
      {
        laws: {
          mine: {
            name: "mine",
            sentence: "None.",
            remedy: "None.",
            holds: "always",
            breaches: () => {
              void forEverInMicrotasks();
              return [];
            },
          },
        },
      },
    ],
    ["books", { books: forEver }],
    ["books", { books: () => new Promise(() => process.nextTick(forEver)) }],
    ["the call store.open", { store: { ...adapter, open: forEver } }],
    ["the call store.close", { store: { ...adapter, close: forEver }, budget: { stories: 2 } }],
  ])("does not accuse the merchant where it is in %s", async ([what, more]) => {
    const verdict = await exam({ ...examOfSmallShop(), ...more, longestWait: 1 });
    expect(verdict.outcome).toBe("unfinished");
    expect(verdict.endedEarly).toEqual([`A loop of ${what} ran for 1 seconds without an end.`]);
  });

  test("does not accuse a merchant that only waits, such as for a lock of its database", async () => {
    const sleepers = new Int32Array(new SharedArrayBuffer(4));
    const verdict = await exam({
      ...examOfShopThat(() => new Response(Atomics.wait(sleepers, 0, 0))),
      longestWait: 1,
    });
    expect(verdict.failures).toEqual([]);
    expect(verdict.endedEarly).toEqual([
      "The merchant's program waited, while it answered POST /orders (the act order of order-1), and did not yield to the event loop.",
    ]);
  });

  test("keeps the law whose story was being shortened", async () => {
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
      longestWait: 2,
    });
    expect(verdict.failures.map(({ law }) => law)).toContain("mine");
  });

  test("leaves the process and the exam that comes after it alone", async () => {
    const { Date: date, setTimeout: timeout } = globalThis;
    await exam(examOfShopThat(forEver));
    expect([globalThis.Date, globalThis.setTimeout]).toEqual([date, timeout]);
    const verdict = await exam({ ...examOfSmallShop(), budget: { stories: 12 } });
    expect(verdict).toMatchObject({ stories: 12, failures: [] });
  });
});

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
    budget: { stories: 12 },
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
    expect(verdict).toMatchObject({ stories: 12, failures: [], endedEarly: [] });
  });

  test("is told that a handler never answers which polls for ever", async () => {
    const verdict = await exam({
      ...examOfShopThat(async () => {
        for (;;) await pause(SECOND);
      }),
      budget: { stories: 3 },
    });
    expect(verdict.failures.map(({ law, what }) => `${law}: ${what}`)).toContain(
      "nothing-waits-for-ever: A customer's request, POST /orders, was never answered.",
    );
  });

  test("is told that it did too much where its timers never end", async () => {
    const verdict = await exam({
      ...beside(() => {
        for (let timer = 0; timer < 110_000; timer += 1) setTimeout(() => undefined, timer);
      }),
      budget: { stories: 1 },
    });
    expect(verdict.failures.map(({ what }) => what)).toContain(
      "The merchant did more than 100000 things in one story, which was broken off, while it started.",
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
