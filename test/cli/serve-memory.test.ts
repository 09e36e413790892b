import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { centavo } from "./commands.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const MEBIBYTE = 1024 * 1024;
const opened: ChildProcess[] = [];

afterEach(() => {
  for (const server of opened.splice(0)) server.kill();
});

/** Starts the command in a separate process with a heap of `heap` MiB. */
function serve(heap: number, ...options: string[]): Promise<string> {
  const server = spawn(process.execPath, [`--max-old-space-size=${heap}`, main, "serve", "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  opened.push(server);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    const [, url] = /Centavo answers at (\S+)/.exec(text) ?? [];
    if (url !== undefined) resolve(url);
  });
  server.on("exit", (code) => reject(new Error(`The server ended with ${code}`)));
  return promise;
}

/** Sends a body of 1 MiB `count` times. Returns the distinct statuses of the answers. */
async function post(url: string, count: number, contentType: string): Promise<number[]> {
  // Node keeps long ASCII-only texts outside the heap.
  const body = "é".repeat(MEBIBYTE / 2);
  const statuses = new Set<number>();
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(url, { method: "POST", headers: { "content-type": contentType }, body });
    statuses.add(response.status);
    await response.arrayBuffer();
  }
  return [...statuses];
}

test("a server with a small heap outlives more bodies without credentials than its heap could hold", async () => {
  const url = await serve(64);
  expect(await post(`${url}/api/payment-intent`, 100, "application/json")).toEqual([401]);
  expect(await post(`${url}/oauth`, 20, "application/json")).toEqual([400]);
  expect(await post(`${url}/oauth`, 20, "text/plain")).toEqual([415]);
  expect(await post(`${url}/nowhere`, 20, "application/json")).toEqual([404]);
});

test("how much a server keeps is a whole number", async () => {
  for (const keep of ["0", "many", "1.5"])
    await expect(centavo("serve", "--port", "0", "--keep", keep)).rejects.toThrow(
      "A count is a whole number of at least 1.",
    );
  expect((await centavo("serve", "--port", "0", "--keep", "5")).text).toContain("keeps the newest 5");
});
