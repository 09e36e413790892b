import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";

test("the same axios reaches a real server later", async () => {
  const server = createServer((request, response) => request.pipe(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}/`;
  expect((await globalThis.keptClient.post(url, { order: 1 })).data).toEqual({ order: 1 });
  const { default: axios } = await import("axios");
  expect((await axios.post(url, { order: 2 }, { adapter: "fetch" })).data).toEqual({ order: 2 });
  server.close();
});
