import { channel, hasSubscribers } from "node:diagnostics_channel";
import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { serve } from "centavo/server";
import type { SimulatorServer } from "centavo/server";
import { expect, test } from "vitest";

interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: {
    readonly sequence?: number;
    readonly kind?: string;
    readonly length?: number;
    readonly entries?: number;
  };
}

/** Follows the journal, one event at a time. */
async function* follow(
  controlUrl: string,
  token: string,
  { lastEventId, signal }: { readonly lastEventId?: string; readonly signal?: AbortSignal } = {},
): AsyncGenerator<StreamedEvent, void> {
  const response = await fetch(`${controlUrl}/journal`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: "text/event-stream",
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
    ...(signal && { signal }),
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)] as const),
      );
      const { id = "", event = "", data = "{}" } = fields;
      if (event !== "") yield { id, event, data: JSON.parse(data) as StreamedEvent["data"] };
    }
  }
}

/** Takes this many events. */
async function take(events: AsyncGenerator<StreamedEvent, void>, count: number): Promise<StreamedEvent[]> {
  const taken: StreamedEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) throw new Error("The stream ended.");
    taken.push(value);
  }
  return taken;
}

function remoteOf({ url, token }: SimulatorServer) {
  return connectSimulator(url, { token });
}

test("a client gets the entries that there are, and then each new one", async () => {
  const sim = createSimulator();
  await fixtures(sim).intent();
  await using server = await serve(sim);
  const events = follow(server.controlUrl, server.token);
  const before = await take(events, sim.journal.length);
  expect(before.map(({ data }) => data)).toEqual(sim.journal.entries);
  const known = sim.journal.length;
  await remoteOf(server).faults.add({ kind: "response.lost" });
  expect(await take(events, 1)).toMatchObject([{ event: "entry", data: { sequence: known + 1, kind: "fault" } }]);
  await events.return();
});

test("a client that comes back gets what it missed", async () => {
  const sim = createSimulator();
  await fixtures(sim).intent();
  await using server = await serve(sim);
  const first = follow(server.controlUrl, server.token);
  const [, second] = await take(first, 2);
  await first.return();
  const again = follow(server.controlUrl, server.token, { lastEventId: second?.id ?? "" });
  expect(await take(again, 1)).toMatchObject([{ data: { sequence: 3 } }]);
  await again.return();
});

test("a client that comes back to a server that has started again gets all of the new world", async () => {
  const sim = createSimulator();
  await fixtures(sim).intent();
  const first = await serve(sim);
  const seen = await take(follow(first.controlUrl, first.token), sim.journal.length);
  await first.close();
  const fresh = createSimulator();
  fresh.faults.add({ kind: "response.lost" });
  await using second = await serve(fresh);
  const events = follow(second.controlUrl, second.token, { lastEventId: seen.at(-1)?.id ?? "" });
  expect(await take(events, 2)).toMatchObject([
    { event: "world", data: { length: 1 } },
    { event: "entry", data: { sequence: 1 } },
  ]);
  await events.return();
});

test("a reset and a restore are told, and the entries of the new world follow", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  await fixtures(sim).intent();
  const snapshot = sim.snapshot();
  const events = follow(server.controlUrl, server.token);
  await take(events, sim.journal.length);
  await remoteOf(server).reset();
  expect(await take(events, 1)).toMatchObject([{ event: "world", data: { length: 0 } }]);
  await remoteOf(server).restore(snapshot);
  const [told, ...entries] = await take(events, 1 + sim.journal.length);
  expect(told).toMatchObject({ event: "world", data: { length: sim.journal.length } });
  expect(entries.map(({ data }) => data)).toEqual(sim.journal.entries);
  await events.return();
});

test("a client of an earlier world learns that it was replaced", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  sim.reset();
  sim.faults.add({ kind: "response.lost" });
  const events = follow(server.controlUrl, server.token, { lastEventId: "0-17" });
  expect((await take(events, 2)).map(({ event }) => event)).toEqual(["world", "entry"]);
  await events.return();
});

test("a client of a bounded journal learns how many entries are gone", async () => {
  const sim = createSimulator({ keep: 10 });
  for (let count = 0; count < 2500; count += 1) sim.faults.add({ kind: "response.lost" }).remove();
  const gone = (sim.journal.entries[0]?.sequence ?? 0) - 1;
  expect(gone).toBeGreaterThan(0);
  await using server = await serve(sim);
  const events = follow(server.controlUrl, server.token);
  expect(await take(events, 2)).toMatchObject([
    { event: "forgotten", data: { entries: gone } },
    { event: "entry", data: { sequence: gone + 1 } },
  ]);
  await events.return();
});

test("a stream ends with its world", async () => {
  await using server = await serve(createSimulator());
  const fork = await remoteOf(server).fork({ name: "watched" });
  const events = follow(`${server.url}/worlds/watched/_centavo/api/v1`, server.token);
  await fork.faults.add({ kind: "response.lost" });
  await take(events, 1);
  await fork.close();
  const rest: string[] = [];
  for await (const { event } of events) rest.push(event);
  expect(rest).toEqual(["end"]);
});

test("a stream ends with its server", async () => {
  const server = await serve(createSimulator());
  await remoteOf(server).faults.add({ kind: "response.lost" });
  const events = follow(server.controlUrl, server.token);
  await take(events, 1);
  await server.close();
  const rest = events.next().catch(() => ({ done: true }));
  expect(await rest).toMatchObject({ done: true });
});

test("a client that has left is no longer served", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  sim.faults.add({ kind: "response.lost" });
  const leaving = new AbortController();
  const events = follow(server.controlUrl, server.token, { signal: leaving.signal });
  await take(events, 1);
  expect(hasSubscribers("centavo:journal")).toBe(true);
  leaving.abort();
  await expect(events.next()).rejects.toThrow();
  await expect.poll(() => hasSubscribers("centavo:journal")).toBe(false);
});

test("a client that reads nothing holds nobody up, and gets all of it later", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const events = follow(server.controlUrl, server.token);
  const first = events.next();
  for (let count = 0; count < 5000; count += 1) sim.faults.add({ kind: "response.lost" }).remove();
  await first;
  const rest = await take(events, 9999);
  expect(rest.at(-1)?.data.sequence).toBe(10_000);
  await events.return();
});

test("it goes on after a unit that wrote nothing", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const events = follow(server.controlUrl, server.token);
  sim.faults.add({ kind: "response.lost" });
  await take(events, 1);
  const next = take(events, 1);
  await new Promise((resolve) => setImmediate(resolve));
  channel("centavo:journal").publish({ world: sim.internals.parts.engine.identity, entries: [] });
  await new Promise((resolve) => setImmediate(resolve));
  sim.faults.clear();
  expect((await next)[0]).toMatchObject({ event: "entry", data: { kind: "fault" } });
});
