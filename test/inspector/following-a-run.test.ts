import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { serve } from "centavo/server";
import { hasSubscribers } from "node:diagnostics_channel";
import { expect, test } from "vitest";
import { gatherRun } from "../../src/report/gather-run.ts";
import type { Row } from "../../src/report/reported-run.ts";
import { open, served } from "../server/served.ts";
import { Page, until } from "./page.ts";
import type { Streamed } from "./page.ts";

const RUN = "/_centavo/inspector/run";

async function take(events: AsyncGenerator<Streamed, void>, count: number): Promise<Streamed[]> {
  const taken: Streamed[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) throw new Error("The stream ended.");
    taken.push(value);
  }
  return taken;
}

test("a page gets the run so far, as the report shows it, and then each new row", async () => {
  const sim = createSimulator();
  await fixtures(sim).subscription({ status: "active" });
  await using server = await serve(sim);
  const events = (await Page.of(server)).follow(RUN);
  const reported = await gatherRun(sim, { heard: false });
  const { digest: _, coverage: __, ...rest } = JSON.parse(JSON.stringify(reported)) as typeof reported;
  const run = await until(events, (_run, { event }) => event === "state");
  expect({ ...run, notes: [] }).toEqual({ ...rest, title: "default world", notes: [] });
  const known = sim.journal.length;
  sim.faults.add({ kind: "response.lost" });
  const more = await until(events, ({ rows }) => rows.length > known, run);
  expect(more.rows.at(-1)).toMatchObject({ sequence: known + 1, kind: "fault" });
  const planned = await until(events, ({ faults }) => faults.length > 0, more);
  expect(planned.faults).toEqual([{ id: "fault_1", what: "response.lost {}", hits: 0 }]);
  await events.return();
});

test("a page that comes back gets what it missed, and no row twice", async () => {
  const sim = createSimulator();
  const make = fixtures(sim);
  await make.intent({ status: "succeeded" });
  await using server = await serve(sim);
  const page = await Page.of(server);
  const first = page.follow(RUN);
  const [, rows] = await take(first, 2);
  const known = await until(
    first,
    (_run, { event }) => event === "resources",
    await until(page.follow(RUN), (_run, { event }) => event === "rows"),
  );
  await first.return();
  await make.intent({ status: "processing" });
  // A page that closes its stream while nobody looks has to say itself where it was.
  const byAddress = await take(page.follow(`${RUN}?after=${rows?.id}`), 1);
  const sequences = byAddress.map(({ data }) => (data as Row[])[0]?.sequence);
  expect(sequences).toEqual([known.rows.length + 1]);
  const again = page.follow(RUN, { lastEventId: rows?.id ?? "" });
  const missed = sim.journal.length;
  const run = await until(again, (now, { event }) => now.rows.length === missed && event === "resources", known);
  expect(run.rows).toEqual(JSON.parse(JSON.stringify((await gatherRun(sim, { heard: false })).rows)));
  expect(run.resources).toEqual(JSON.parse(JSON.stringify((await gatherRun(sim, { heard: false })).resources)));
  await again.return();
});

test("a reset and a restore begin the run again", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  await fixtures(sim).intent();
  const snapshot = sim.snapshot();
  const events = (await Page.of(server)).follow(RUN);
  const all = sim.journal.length;
  let run = await until(events, ({ rows }) => rows.length === all);
  sim.reset();
  run = await until(events, (_run, { event }) => event === "run", run);
  expect(run.rows).toEqual([]);
  sim.restore(snapshot);
  run = await until(events, ({ rows }) => rows.length === all, run);
  expect(run.rows.map(({ sequence }) => sequence)).toEqual(sim.journal.entries.map(({ sequence }) => sequence));
  await events.return();
});

test("a page that comes back to another world with the same address gets all of it", async () => {
  const server = await served();
  await open(server, "a");
  const page = await Page.of(server);
  const [begun] = await take(page.follow(`/worlds/a${RUN}`), 1);
  await page.fetch("/_centavo/worlds/a", { method: "DELETE" });
  await open(server, "a");
  expect((await take(page.follow(`/worlds/a${RUN}`, { lastEventId: begun?.id ?? "" }), 1))[0]?.event).toBe("run");
});

test("a page of a bounded journal learns how many entries are gone, also while it looks", async () => {
  const sim = createSimulator({ keep: 10 });
  const fill = (): void => {
    for (let count = 0; count < 2500; count += 1) sim.faults.add({ kind: "response.lost" }).remove();
  };
  const gone = (): number => (sim.journal.entries[0]?.sequence ?? 0) - 1;
  fill();
  await using server = await serve(sim);
  const events = (await Page.of(server)).follow(RUN);
  const first = gone();
  const last = (): number => sim.journal.entries.at(-1)?.sequence ?? 0;
  let run = await until(events, ({ rows }) => rows.at(-1)?.sequence === last());
  expect(run.notes).toEqual([`The journal is bounded: ${first} earlier entries are forgotten.`]);
  expect(run.rows[0]?.sequence).toBe(first + 1);
  fill();
  expect(gone()).toBeGreaterThan(first);
  run = await until(events, ({ rows }) => rows.at(-1)?.sequence === last(), run);
  expect(run.notes).toEqual([`The journal is bounded: ${gone()} earlier entries are forgotten.`]);
  expect(run.rows).toHaveLength(sim.journal.length);
  await events.return();
});

test("rows come at most 200 at a time, and a page that reads nothing holds nobody up", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const events = (await Page.of(server)).follow(RUN);
  const first = events.next();
  for (let count = 0; count < 5000; count += 1) sim.faults.add({ kind: "response.lost" }).remove();
  await first;
  let most = 0;
  const begun = await first;
  const run = await until(
    events,
    ({ rows }, { event, data }) => {
      if (event === "rows") most = Math.max(most, (data as unknown[]).length);
      return rows.length === 10_000;
    },
    (begun.value as Streamed).data as never,
  );
  expect(run.rows.at(-1)?.sequence).toBe(10_000);
  expect(most).toBeLessThanOrEqual(200);
  await events.return();
});

test("a run ends with its world", async () => {
  const server = await served();
  await open(server, "a");
  const page = await Page.of(server);
  const events = page.follow(`/worlds/a${RUN}`);
  await take(events, 1);
  await page.fetch("/_centavo/worlds/a", { method: "DELETE" });
  const rest: string[] = [];
  for await (const { event } of events) rest.push(event);
  expect(rest.at(-1)).toBe("end");
});

test("a page that has left is no longer served", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const leaving = new AbortController();
  const events = (await Page.of(server)).follow(RUN, { signal: leaving.signal });
  await take(events, 1);
  expect(hasSubscribers("centavo:journal")).toBe(true);
  leaving.abort();
  await expect(take(events, Infinity)).rejects.toThrow(/abort/i);
  await expect.poll(() => hasSubscribers("centavo:journal")).toBe(false);
});

test("the list of worlds follows what is opened, what happens, and what ends", async () => {
  const server = await served();
  const page = await Page.of(server);
  const events = page.follow("/_centavo/inspector/worlds");
  const next = async (): Promise<unknown> => (await take(events, 1))[0]?.data;
  const main = {
    name: "",
    path: "",
    title: "default world",
    now: "2026-01-01T00:00:00.000Z",
    entries: 0,
    clock: { isMovedBy: "page" },
    isEnded: false,
    isGone: false,
  };
  expect(await next()).toEqual([main]);
  await open(server, "a", { clock: { real: 60 } });
  expect(await next()).toMatchObject([
    main,
    { name: "a", path: "/worlds/a", title: "a", entries: 0, clock: { isMovedBy: "time", factor: 60 }, isEnded: false },
  ]);
  await page.fetch("/worlds/a/_centavo/api/v1/faults", { method: "POST", body: '{"kind":"response.lost"}' });
  expect(await next()).toMatchObject([main, { name: "a", entries: 1, isEnded: false }]);
  await page.fetch("/_centavo/worlds/a", { method: "DELETE" });
  expect(await next()).toMatchObject([main, { name: "a", entries: 1, isEnded: true, isGone: true }]);
  await events.return();
});
