import diagnostics from "node:diagnostics_channel";
import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { StateFile } from "../../../src/server/state/state-file.ts";
import { woundTime } from "../../clock-drivers/wound-time.ts";
import { errorOf, open, worlds } from "../served.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

const journals = diagnostics.channel("centavo:journal");

afterEach(() => vi.restoreAllMocks());

/** A server whose disk is full after its start. */
async function onAFullDisk(sim = createSimulator()) {
  const state = newStateFile();
  const server = await serve(sim, { state });
  const full = vi.spyOn(StateFile.prototype, "inTransaction").mockImplementation(() => {
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  });
  onTestFinished(async () => {
    full.mockRestore();
    await server.close();
  });
  const call = (method: string, path: string, body?: string, accept = "application/json") =>
    fetch(server.controlUrl + path, {
      method,
      headers: { authorization: `Bearer ${server.token}`, accept },
      ...(body !== undefined && { body }),
    });
  return { server, state, call, full };
}

const refusal = {
  status: 503,
  code: "INVALID_STATE",
  message: expect.stringMatching(/^The state file .*: the disk is full\. Free some space/) as string,
};

test("control calls are answered with what is wrong, and with their own answer once there is space", async () => {
  const { server, call, full } = await onAFullDisk();
  expect(await errorOf(await call("POST", "/clock/advance", '{"duration":"1 hour"}'))).toEqual(refusal);
  expect(await errorOf(await call("GET", "/clock"))).toEqual(refusal);
  expect(await errorOf(await call("POST", "/fork", "{}"))).toEqual(refusal);
  expect(await errorOf(await worlds(server, "/a", "PUT", {}))).toEqual(refusal);
  expect((await worlds(server, "/a", "GET")).status).toBe(404);
  full.mockRestore();
  expect(await connectSimulator(server.url, { token: server.token }).clock.now()).toBe("2026-01-01T01:00:00.000Z");
  expect((await worlds(server, "/a", "PUT", {})).status).toBe(201);
});

test("a world that the file cannot forget goes on, and is kept", async () => {
  const { server, state: path, full } = await onAFullDisk();
  full.mockRestore();
  const opened = await open(server, "a");
  vi.spyOn(StateFile.prototype, "forget").mockImplementation(() => {
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  });
  expect(await errorOf(await worlds(server, "/a", "DELETE"))).toEqual(refusal);
  expect((await worlds(server, "/a", "GET")).status).toBe(200);
  await connectSimulator(opened.baseUrl, { token: server.token }).clock.advance("1 hour");
  const state = openState(killedCopyOf(path));
  const twin = createSimulator({ seed: opened.seed });
  await state.restore("a", twin);
  expect(twin.clock.now()).toBe("2026-01-01T01:00:00.000Z");
  state.close();
});

test("a stream of the journal is refused, and no longer follows it", async () => {
  const { call } = await onAFullDisk();
  expect(journals.hasSubscribers).toBe(false);
  expect(await errorOf(await call("GET", "/journal", undefined, "text/event-stream"))).toEqual(refusal);
  expect(journals.hasSubscribers).toBe(false);
});

test("a stream that cannot go on no longer follows the journal", async () => {
  const sim = createSimulator();
  const { call, full } = await onAFullDisk(sim);
  full.mockRestore();
  const stream = await call("GET", "/journal", undefined, "text/event-stream");
  expect(journals.hasSubscribers).toBe(true);
  vi.spyOn(StateFile.prototype, "inTransaction").mockImplementation(() => {
    throw new Error("full");
  });
  sim.faults.add({ kind: "response.lost" });
  await expect(stream.text()).rejects.toThrow("terminated");
  expect(journals.hasSubscribers).toBe(false);
});

test("the clock of a fork that was refused does not run on", async () => {
  const time = woundTime();
  const sim = createSimulator({ clock: "real" });
  const { call } = await onAFullDisk(sim);
  sim.faults.add({ kind: "request.latency", delay: "1 minute", times: 1 });
  const held = sim.fetch("/.well-known/jwks.json");
  await expect.poll(() => sim.clock.pending().length).toBe(1);
  const timers = time.timers.size;
  expect((await call("POST", "/fork", "{}")).status).toBe(503);
  expect(time.timers.size).toBe(timers);
  await time.pass(60_000);
  await held;
});
