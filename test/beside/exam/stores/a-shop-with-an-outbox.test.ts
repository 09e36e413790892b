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

test("plays on after a crash in which calls waited for a free connection", async () => {
  const crash = ["write", "", 12, "crash before"];
  const story = { flow: "twelve customers order at once", troubles: [crash], schedule: 258_635_256 };
  const replay = Buffer.from(JSON.stringify(story)).toString("base64url");
  const verdict = await exam({ ...examOfOutboxShop(postgres.folder), seed: 2, replay });
  expect(String(verdict)).not.toContain("unfinished");
  expect(verdict.stories).toBe(1);
  expect(verdict.failures).toEqual([]);
});
