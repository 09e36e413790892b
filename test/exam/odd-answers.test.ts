import { exam } from "centavo/exam";
import type { ExamOptions, Law } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Mistake, Orders } from "./small-shop.ts";

const odd = (value: unknown): never => value as never;
const law = (breaches: () => unknown, more: object = {}): Partial<ExamOptions<Orders>> => ({
  laws: { mine: { name: "mine", sentence: "None.", remedy: "None.", holds: "always", breaches, ...more } as Law },
});
const answering = (at: string, answer: unknown, mistake?: Mistake): Partial<ExamOptions<Orders>> => ({
  open: (opening) => {
    const shop = openSmallShop(opening, mistake);
    return async (request: Request) => (new URL(request.url).pathname === at ? odd(answer) : shop(request));
  },
});

test.for<[string, Partial<ExamOptions<Orders>>, string]>([
  ["an act that returns nothing", { acts: { order: () => odd(undefined) } }, "exam: the act order returned undefined."],
  ["an act that returns text", { acts: { order: () => odd("ok") } }, 'exam: the act order returned "ok".'],
  ["an act that returns what it read", { acts: { order: () => odd({}) } }, "exam: the act order returned {}."],
  ["an app that answers a number", answering("/orders", 5), "exam: the merchant's app answered POST /orders with 5,"],
  ["an app that answers an object to events", answering("/hooks", { ok: true }), "answered POST /hooks with {"],
  ["an app that answers a number on the way back", answering("/return", 5), "answered GET /return with 5,"],
  ["a law that throws", law(() => JSON.parse("}")), "exam: the law mine threw: "],
  ["a law that returns a word", law(() => true), "exam: breaches of the law mine returned true."],
  [
    "a law that throws when asked whether a story reached it",
    law(() => [], { reached: () => JSON.parse("}") as never }),
    "exam: the function reached of the law mine threw: ",
  ],
  [
    "a law whose reached is no function",
    law(() => [], { reached: true }),
    'exam: the option laws["mine"].reached is true. It takes a function',
  ],
  [
    "a breach whose remedy is no text",
    law(() => [{ what: "It is.", remedy: 7 }]),
    "exam: breaches of the law mine returned [{",
  ],
  ["a law that returns nothing in a list", law(() => [null]), "exam: breaches of the law mine returned [null]."],
  [
    "books whose orders throw",
    {
      books: () => ({
        get orders(): never {
          throw new Error("closed");
        },
      }),
    },
    "exam: what books returned cannot be read: closed",
  ],
  [
    "a store that is nested too deeply",
    { store: odd(Array.from({ length: 100_000 }).reduce((inner) => ({ inner }), {})) },
    "exam: the store is nested too deeply to be copied.",
  ],
])("the error names %s", async ([, more, message]) => {
  await expect(exam({ ...examOfSmallShop(), ...more, budget: { stories: 12 } })).rejects.toThrow(message);
});

test("what was found before such an error counts", async () => {
  let stories = 0;
  const shop = examOfSmallShop("fulfils each time");
  const verdict = await exam({
    ...shop,
    books: (context) => ((stories += 1) > 700 ? odd(7) : shop.books(context)),
  });
  expect(verdict.failures.map((failure) => failure.law)).toContain("fulfilled-once");
  expect(verdict.unfinished).toContain("exam: books returned 7.");
});

test("a thrown text of megabytes is cut", async () => {
  const long = "x".repeat(5_000_000);
  const verdict = await exam({
    ...examOfSmallShop(),
    jobs: [{ every: "10 minutes", run: () => Promise.reject(new Error(long)) }],
    budget: { stories: 2 },
  });
  expect(verdict.failures.map((failure) => failure.law)).toContain("jobs-go-on");
  expect(JSON.stringify(verdict).length).toBeLessThan(200_000);
});
