import { expect, test } from "vitest";
import { open } from "../server/served.ts";
import { MEBIBYTE, startServer } from "./server.ts";

/** In bytes. */
const MOST = 300e6;

test("1 000 idle worlds have at most 300 MB in use", async () => {
  const server = await startServer();
  for (let count = 0; count < 1000; count += 1)
    await open({ url: server.url, token: server.controlToken }, `world-${count}`);
  const memory = (await server.memory()) * MEBIBYTE;
  expect(memory).toBeLessThan(MOST);
  // It is the memory of a server with worlds.
  expect(memory).toBeGreaterThan(MOST / 10);
});
