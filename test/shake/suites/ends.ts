import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { simulated } from "../../../src/testing.ts";
import { openSmallShop } from "../../exam/small-shop.ts";
import type { Orders } from "../../exam/small-shop.ts";

/** The run, of those that `WHEN` names, in which this program ends in the way that `END` names. */
const { END = "", WHEN = "", PIDS = "", MEGABYTES = "0", CENTAVO_SHAKE_RUN: run = "" } = process.env;
const isNow = WHEN.split(",").includes(run);
const url = "https://shop.example";

const sells = simulated({ network: "fetch", name: "sells" }, async ({ sim, network, visit }) => {
  const store: Orders = new Map();
  const opening = { sim, fetch: network.fetch, store, url, now: () => new Date() };
  sim.connect(url, openSmallShop(opening as unknown as Parameters<typeof openSmallShop>[0]));
  await visit("POST", "/orders", { id: "order-1", method: "pm_card_approved" });
  if (isNow && END === "throws") {
    void Promise.reject(new Error("The shop is out of books."));
    await setImmediate();
  }
  if (isNow && END === "exits") process.exit(3);
  if (isNow && END === "kills itself") process.kill(process.pid, "SIGKILL");
  await sim.clock.settle();
  await sim.clock.advance("1 minute");
});

const stays = "setInterval(() => {}, 1000)";

/** Starts a program that never ends, and notes it. */
function leaveWorker(): void {
  const worker = spawn(process.execPath, ["-e", stays], { stdio: "inherit" });
  appendFileSync(PIDS, `${worker.pid}\n`);
  worker.unref();
}

const line = `${"x".repeat(1023)}\n`;
for (const stream of [process.stdout, process.stderr])
  for (let megabytes = 0; megabytes < Number(MEGABYTES) / 2; megabytes += 1)
    await new Promise((resolve) => stream.write(line.repeat(1024), resolve));
if (END !== "has no test") await sells();
if (isNow && END === "leaves a worker") leaveWorker();
if (isNow && END === "waits for changes") process.stdout.write("PASS Waiting for file changes...\n");
if (isNow && END === "ignores SIGTERM") {
  process.on("SIGTERM", () => undefined);
  leaveWorker();
}
if (isNow && ["ignores SIGTERM", "never ends", "waits for changes"].includes(END)) {
  appendFileSync(PIDS, `${process.pid}\n`);
  setInterval(() => undefined, 1000);
}
