import { exam } from "centavo/exam";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SEEDS } from "../../../exam/honest/seeds.ts";
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

test.for(SEEDS)("passes a shop with an outbox on PostgreSQL, in a thousand stories of seed %i", async (seed) => {
  const verdict = await exam({ ...examOfOutboxShop(postgres.folder), seed, budget: { stories: 1000 } });
  expect(verdict.stories).toBe(1000);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
