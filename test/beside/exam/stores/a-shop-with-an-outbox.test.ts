import { exam } from "centavo/exam";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examOfOutboxShop } from "./outbox-shop.ts";
import { startPostgres } from "./servers.ts";
import type { Server } from "./servers.ts";

let postgres: Server;

beforeAll(() => {
  postgres = startPostgres();
});
afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
});

test("passes a shop with transactions and an outbox on PostgreSQL", async () => {
  const verdict = await exam({ ...examOfOutboxShop(postgres.folder), budget: { stories: 100 } });
  expect(verdict.stories).toBe(100);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
