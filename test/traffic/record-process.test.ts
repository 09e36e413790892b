import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/kit/base/runtime/http.ts";
import type { Addresses } from "./record-program.ts";
import { harIn, newFile } from "./sandbox.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** A service that answers `/fine`, and nothing else. */
async function openService() {
  const arrived = Promise.withResolvers<void>();
  const listening = await listen((incoming, outgoing) => {
    if (incoming.url === "/fine") outgoing.end("fine");
    else arrived.resolve();
  });
  onTestFinished(() => listening.close());
  return { url: listening.url, arrived: arrived.promise };
}

/** Starts `centavo record --json` in a process of its own, until the end of the test. */
async function recordProcess(to: string) {
  const file = newFile();
  const child = spawn(process.execPath, [main, "record", "--port", "0", "--json", "--to", to, "--file", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close").then(([code]: (number | string | null)[]) => code);
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return { file, child, ended, addresses: JSON.parse(line) as Addresses };
}

/** Returns 0 when nothing listens any more. */
async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}

test.for(["SIGTERM", "SIGINT"] as const)(
  "%s ends the recording with its file complete, and exits with 0",
  async (signal) => {
    const service = await openService();
    const { file, child, ended, addresses } = await recordProcess(service.url);
    expect(await (await fetch(`${addresses.url}/fine`)).text()).toBe("fine");
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(harIn(file).map(({ response: { status } }) => status)).toEqual([200]);
  },
);

test.for([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("a second %s ends it at once with %i, and its file has what came before", async ([signal, code]) => {
  const service = await openService();
  const { file, child, ended, addresses } = await recordProcess(service.url);
  await (await fetch(`${addresses.url}/fine`)).text();
  const waiting = fetch(`${addresses.url}/never`).catch(() => undefined);
  await service.arrived;
  child.kill(signal);
  // It takes no more calls once it stops.
  await expect.poll(() => statusOf(`${addresses.url}/fine`), { timeout: 60_000 }).not.toBe(200);
  child.kill(signal);
  expect(await ended).toBe(code);
  await waiting;
  const [first, second, ...others] = harIn(file);
  expect(first?.response.status).toBe(200);
  expect(second).toMatchObject({ response: { status: 0 }, _error: "No whole answer came before the recording ended." });
  // Those that came before it heard of the signal.
  expect(others.every(({ response: { status } }) => status === 200)).toBe(true);
});

test("a call that has no answer after ten seconds is left, with the exit code 3", async () => {
  const service = await openService();
  const { file, child, ended, addresses } = await recordProcess(service.url);
  const waiting = fetch(`${addresses.url}/never`).catch(() => undefined);
  await service.arrived;
  child.kill("SIGTERM");
  expect(await ended).toBe(3);
  await waiting;
  expect(harIn(file)).toMatchObject([{ response: { status: 0 } }]);
});
