import { exam } from "centavo/exam";
import { nextApp } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { expect, test as base, vi } from "vitest";
import { database } from "../lib/shop.ts";
import type { Order } from "../lib/shop.ts";
import shopExam from "../shop.exam.ts";

const test = withSimulator(base);
const url = "https://shop.example";
const ana = { name: "Ana Cruz", email: "ana@customer.example" };

test("a book is sold, a membership begins, goes past due, and recovers by another card", async ({
  sim,
  network,
  customer,
  visit,
}) => {
  vi.stubEnv("PAY_BASE_URL", network.baseUrl);
  vi.stubEnv("PAY_AUTH_URL", network.authUrl);
  vi.stubEnv("PAY_CLIENT_ID", sim.credentials.clientId);
  vi.stubEnv("PAY_CLIENT_SECRET", sim.credentials.clientSecret);
  vi.stubEnv("PAY_WEBHOOK_SECRET", sim.credentials.webhookSecret);
  vi.stubEnv("SHOP_URL", url);
  sim.connect(url, nextApp("app", { load: (file) => import(file) }));

  const answer = await visit("POST", "/orders", { id: "order-1", customer: ana });
  const { session } = (await answer.json()) as Order;
  await customer.pay(session?.checkoutUrl ?? "", "pm_card_approved");
  await sim.clock.settle();
  expect(database.orders.get("order-1")).toMatchObject({ status: "completed", parcels: 1 });

  const card = "pm_card_declines_renewals";
  await visit("POST", "/memberships", { id: "member-1", plan: "reader", customer: ana, card });
  await sim.clock.settle();
  expect(database.memberships.get("member-1")?.status).toBe("active");

  await sim.clock.advance("1 month");
  expect(database.memberships.get("member-1")?.status).toBe("past_due");

  await visit("PUT", "/memberships/member-1/card", { card: "pm_card_approved" });
  await sim.clock.settle();
  expect(database.memberships.get("member-1")?.status).toBe("active");
});

base("the exam finds no story in which money, goods or access go wrong", async () => {
  // Only the beginning: the whole first round is for `npx centavo exam`.
  expect(await exam({ ...shopExam, budget: { stories: 30 } })).toPass({ unfinished: true });
});
