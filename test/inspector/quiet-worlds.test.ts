import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { RunFeed } from "../../src/server/inspector/run-feed.ts";
import { newStateFile } from "../server/state/state-files.ts";
import { Page, until } from "./page.ts";

/** A look for causes has a small share of all time, and the first look takes long. */
const PATIENT = { timeout: 60_000 };

test.each([["manual"], ["auto"], [{ real: 60 }]] as const)(
  "a world in which nothing happens sends nothing, although its clock may run: %j",
  async (clock) => {
    await using sim = createSimulator({ clock });
    await fixtures(sim).subscription({ status: "active" });
    const feed = new RunFeed(sim, "quiet");
    await expect
      .poll(() => {
        while (feed.next() !== undefined);
        return feed.patience;
      }, PATIENT)
      .toBeUndefined();
    feed.stop();
  },
);

test("a page of a world with a clock that runs sees what time brings", async () => {
  const sim = createSimulator({ clock: { real: 1000 }, assumptions: { "intent.processing-time": "1 minute" } });
  await using server = await serve(sim);
  const events = (await Page.of(server)).follow("/_centavo/inspector/run");
  const client = createClient({ ...sim.credentials, baseUrl: server.url });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  const run = await until(events, ({ resources }) => resources.some(({ status }) => status === "succeeded"));
  expect(run.resources).toMatchObject([{ id, status: "succeeded" }]);
  await events.return();
});

test("a page is told what is in the file of its server, and nothing that could be lost", async () => {
  const state = newStateFile();
  const first = await serve(createSimulator(), { state });
  const page = await Page.of(first);
  const made = await page.fetch("/_centavo/api/v1/fixtures/intent", { method: "POST", body: '{"status":"succeeded"}' });
  expect(made.status).toBe(200);
  const seen = await until(page.follow("/_centavo/inspector/run"), (_run, { event }) => event === "resources");
  await first.close();
  await using second = await serve(createSimulator(), { state });
  const again = await until(
    (await Page.of(second)).follow("/_centavo/inspector/run"),
    (_run, { event }) => event === "resources",
  );
  expect(again.rows).toEqual(seen.rows);
});
