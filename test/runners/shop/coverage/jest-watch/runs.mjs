// Calls the reporter as Jest does in watch mode with --runInBand: every run of the tests in one process, each with a reporter of its own.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { CoverageReporter } from "centavo/jest-reporter";
import pay from "../pay.cjs";

const folder = process.env.FOLDER;
const options = { folder, print: false, thresholds: JSON.parse(process.env.THRESHOLDS) };

async function run(reporter, ...methods) {
  await reporter.onRunStart();
  const nodeOptions = process.env.NODE_OPTIONS;
  for (const method of methods) await pay.pay({ createSimulator }, { createClient }, method);
  reporter.onRunComplete();
  const lines = readFileSync(join(folder, "all.coverage.jsonl"), "utf8").trim().split("\n").slice(1);
  const seen = lines.map((line) => JSON.parse(line)).filter(([part]) => part === "outcomes");
  return {
    paid: seen.map(([, name]) => name),
    collectors: nodeOptions.split("--import=").length - 1,
    nodeOptionsAfterwards: process.env.NODE_OPTIONS,
    files: readdirSync(folder),
    problem: reporter.getLastError()?.message,
  };
}

const again = new CoverageReporter({}, options);
const runs = [
  await run(new CoverageReporter({}, options), "pm_card_approved", "pm_card_lost"),
  await run(new CoverageReporter({}, options), "pm_card_lost"),
  await run(again, "pm_card_approved"),
  await run(again, "pm_card_approved", "pm_card_lost"),
];
console.log(JSON.stringify(runs));
