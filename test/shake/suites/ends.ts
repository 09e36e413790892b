import { spawn } from "node:child_process";
import type { SpawnOptions } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { setImmediate, setTimeout } from "node:timers/promises";
import { simulated } from "../../../src/testing.ts";
import { openSmallShop } from "../../exam/small-shop.ts";
import type { Orders } from "../../exam/small-shop.ts";

/** The run, of those that `WHEN` names, in which this program ends in the way that `END` names. */
const { END = "", WHEN = "", PIDS = "", MEGABYTES = "0", ...given } = process.env;
const { CENTAVO_SHAKE_FOLDER: folder = "", CENTAVO_SHAKE_RUN: run = "" } = given;
const isNow = WHEN.split(",").includes(run);
const url = "https://shop.example";

let isOver = false;
const sells = simulated({ network: "fetch", name: "sells" }, async ({ sim, network, visit }) => {
  const store: Orders = new Map();
  const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
  const shop = openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]);
  let deliveries = 0;
  sim.connect(url, async (request) => {
    if (new URL(request.url).pathname === "/hooks") deliveries += 1;
    if (isNow && END === "exits in its aftermath" && deliveries > 1) {
      if (isOver) process.exit(3);
      return new Response(null, { status: 409 });
    }
    return shop(request);
  });
  await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
  if (isNow && END === "throws") {
    void Promise.reject(new Error("The shop is out of books."));
    await setImmediate();
  }
  if (isNow && END === "exits") process.exit(3);
  if (isNow && END === "kills itself") process.kill(process.pid, "SIGKILL");
  await sim.clock.settle();
  await sim.clock.advance("1 minute");
  isOver = true;
});

const stays = "setInterval(() => {}, 1000)";

/** Starts a program, and notes it. */
function leaveWorker(words: readonly string[], options: SpawnOptions): void {
  const worker = spawn(process.execPath, words, options);
  appendFileSync(PIDS, `${worker.pid}\n`);
  worker.unref();
}

const line = `${"x".repeat(1023)}\n`;
for (const stream of [process.stdout, process.stderr])
  for (let megabytes = 0; megabytes < Number(MEGABYTES) / 2; megabytes += 1)
    await new Promise((resolve) => stream.write(line.repeat(1024), resolve));
if (END === "outlives the shake") while (existsSync(folder)) await setTimeout(50);
if (END === "has no shop")
  await simulated({ network: "fetch", name: "lists" }, ({ client }) => client.transactions.list())();
else if (END !== "has no test") await sells();
if (isNow && END === "fails elsewhere") process.exitCode = 1;
if (isNow && END === "leaves a worker") leaveWorker(["-e", stays], { stdio: "inherit" });
if (isNow && END === "leaves its group") {
  const env = { ...process.env, END: "outlives the shake" };
  leaveWorker([import.meta.filename], { env, detached: true, stdio: "ignore" });
}
if (isNow && END === "waits for changes") process.stdout.write("PASS Waiting for file changes...\n");
if (isNow && END === "ignores SIGTERM") {
  process.on("SIGTERM", () => undefined);
  leaveWorker(["-e", stays], { stdio: "inherit" });
}
if (isNow && END === "tidies up")
  process.on("SIGTERM", () => {
    // Longer than its parent needs to end.
    void setTimeout(500).then(() => {
      appendFileSync(PIDS, "0\n");
      process.exit();
    });
  });
if (isNow && ["ignores SIGTERM", "never ends", "tidies up", "waits for changes"].includes(END)) {
  appendFileSync(PIDS, `${process.pid}\n`);
  setInterval(() => undefined, 1000);
}
