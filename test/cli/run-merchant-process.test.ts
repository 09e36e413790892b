import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { runningShop } from "./running-shop.ts";
import { folderWith } from "./story-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

async function start(folder: string) {
  const port = await freePort();
  const shop = await runningShop(`http://127.0.0.1:${port}`);
  const words = ["run", ".", "--merchant", shop.url, "--port", String(port)];
  const child = spawn(process.execPath, [main, ...words], { cwd: folder });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { text: "", errors: "" };
  child.stdout.on("data", (data: Buffer) => (printed.text += data.toString()));
  child.stderr.on("data", (data: Buffer) => (printed.errors += data.toString()));
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({ code, ...printed }));
  return { child, ended, port };
}

/** Whether a program can listen at a port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  server.close();
  await once(server, "close");
  return true;
}

describe("centavo run --merchant as a process", () => {
  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends the story under way, and leaves the port free", async ([signal, expected]) => {
    const folder = folderWith({
      "waits.mjs": `export default { title: "It waits", options: {}, script: async ({ sim }) => {
        await sim.visit("/own/1", { method: "POST" });
        process.kill(process.ppid, "${signal}");
        await new Promise(() => {});
      } };`,
    });
    const { ended, port } = await start(folder);
    const { code, text } = await ended;
    expect(text).toContain("interrupted in waits.mjs");
    expect(text).not.toContain("never called");
    expect(code).toBe(expected);
    expect(await isFree(port)).toBe(true);
  });

  test("goes on in silence when its output is closed", async () => {
    const folder = folderWith({
      "order.mjs": `export default { title: "An order", options: {}, script: async ({ sim, expect }) => {
        expect((await sim.visit("/own/1", { method: "POST" })).status).toBe(201);
      } };`,
    });
    const { child, ended, port } = await start(folder);
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ended).toMatchObject({ code: 0, errors: "" });
    expect(await isFree(port)).toBe(true);
  });
});
