import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { connectSimulator } from "centavo/client";
import { expect, onTestFinished, test } from "vitest";
import { errorOf, open, worlds, type Opened } from "../served.ts";
import { newStateFile } from "./state-files.ts";

const MAIN = join(import.meta.dirname, "../../../src/cli/main.ts");

/** Starts `centavo serve --state`. No file may have more blocks of 512 bytes than `mostBlocks`. */
async function served(path: string, mostBlocks: number | "unlimited") {
  const words = ["serve", "--port", "0", "--json", "--clock", "manual", "--state", path];
  const child = spawn("sh", ["-c", `ulimit -f ${mostBlocks}; exec "$@"`, "sh", process.execPath, MAIN, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url, controlToken: token } = JSON.parse(line) as { readonly url: string; readonly controlToken: string };
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { server: { url, token }, sim: connectSimulator(url, { token }), kill };
}

const FULL = {
  status: 503,
  code: "INVALID_STATE",
  message: expect.stringMatching(/^The state file .*Free some space/) as string,
};

test("a server whose disk is full answers no act of the control API as if it were kept, and comes back with all that it answered", async () => {
  const path = newStateFile();
  const { server, sim, kill } = await served(path, 400);
  await sim.faults.add({ kind: "clock.skew", by: "1 minute" });
  await open(server, "ana");
  const added: string[] = [];
  let answer = await addFault(server, "f0");
  for (; answer.ok; answer = await addFault(server, `f${added.length}`)) added.push(`f${added.length}`);
  expect(await errorOf(answer)).toEqual(FULL);
  expect(added.length).toBeGreaterThan(2);
  expect(await errorOf(await worlds(server, "/ben", "PUT"))).toEqual(FULL);
  expect((await worlds(server, "/ben", "GET")).status).toBe(404);
  await kill();

  const again = await served(path, "unlimited");
  expect((await again.sim.faults.list()).map(({ id }) => id)).toEqual(expect.arrayContaining(added));
  const { worlds: list } = (await (await worlds(again.server, "", "GET")).json()) as {
    readonly worlds: readonly Opened[];
  };
  expect(list.map(({ name }) => name)).toEqual(["ana"]);
});

function addFault({ url, token }: { readonly url: string; readonly token: string }, id: string): Promise<Response> {
  return fetch(`${url}/_centavo/api/v1/faults`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ kind: "request.latency", delay: "1 minute", path: `/${"x".repeat(5000)}`, id }),
  });
}
