import { expect, test } from "vitest";
import { exam } from "centavo/exam";
import type { Budget } from "centavo/exam";
import "centavo/vitest";
import { openSmallShop } from "./small-shop.ts";
import type { Mistake, Orders } from "./small-shop.ts";

const examineSmallShop = (mistake?: Mistake, budget: Budget = {}) =>
  exam<Orders>({
    open: (opening) => openSmallShop(opening, mistake),
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    budget,
  });

test("passes a shop without mistakes", async () => {
  const verdict = await examineSmallShop();
  expect(verdict).toPass();
});

test.for([
  { mistake: "no idempotency keys", law: "charged-once" },
  { mistake: "fulfils each time", law: "fulfilled-once" },
  { mistake: "checks no signature", law: "paid-before-fulfilled" },
  { mistake: "trusts the way back", law: "paid-before-fulfilled" },
  { mistake: "never asks", law: "paid-and-fulfilled" },
] as const)("finds the shop in which there is: $mistake", async ({ mistake, law }) => {
  const { failures } = await examineSmallShop(mistake, { stories: 250, failures: 1 });
  expect(failures.map((failure) => failure.law)).toContain(law);
});
