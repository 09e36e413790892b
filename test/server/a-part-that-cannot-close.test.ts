import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test, vi } from "vitest";
import { host } from "../../src/server/serve.ts";
import { StateFile } from "../../src/server/state/state-file.ts";
import { open } from "./served.ts";
import { newStateFile } from "./state/state-files.ts";

test("a server whose file is full at its end says so, ends its worlds and frees its port", async () => {
  const server = await host(() => createSimulator(), { state: newStateFile() });
  await open(server, "a");
  const ended = expect(server.named()[0]?.clock.sleep("1 hour")).rejects.toMatchObject({ code: "WORLD_ENDED" });
  const full = vi.spyOn(StateFile.prototype, "inTransaction").mockImplementation(() => {
    throw Object.assign(new Error("database or disk is full"), { errcode: 13 });
  });
  await expect(server.close()).rejects.toThrow(/the disk is full/);
  full.mockRestore();
  await ended;
  await using again = await serve(createSimulator(), { port: Number(new URL(server.url).port) });
  expect(again.url).toBe(server.url);
});

test("a server with a world that has failed says so, and frees its port", async () => {
  const server = await host(() => createSimulator(), {});
  await open(server, "a", { clock: "auto" });
  const [world] = server.named();
  world?.internals.parts.engine.unawaited.add(new Error("a listener has failed"), 0);
  await expect(server.close()).rejects.toThrow(/a listener has failed/);
  await using again = await serve(createSimulator(), { port: Number(new URL(server.url).port) });
  expect(again.url).toBe(server.url);
});
