import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, story } from "./story-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** Runs the stories of a folder, and closes their output after the first words. */
async function withHead(folder: string): Promise<{ readonly code: number; readonly errors: string }> {
  const child = spawn(process.execPath, [main, "run", ".", "--way", "memory"], { cwd: folder });
  let errors = "";
  child.stderr.on("data", (data: Buffer) => (errors += data.toString()));
  child.stdout.once("data", () => child.stdout.destroy());
  const [code] = (await once(child, "close")) as [number];
  return { code, errors };
}

const LONG = story('for (let line = 0; line < 20000; line += 1) stage.step("a step");');

test.for([
  [0, story("")],
  [1, story('throw new Error("no")')],
] as const)("a run whose output is closed goes on in silence, and exits with %i", async ([code, last]) => {
  const folder = folderWith({ "a-long.mjs": LONG, "b-long.mjs": LONG, "last.mjs": last });
  expect(await withHead(folder)).toEqual({ code, errors: "" });
});

test.for([["run", ".", "--way", "memory"], ["--help"], ["exam", "--help"]])(
  "an output that takes nothing ends %j with a sentence and the exit code 2",
  (args) => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd: folderWith({ "passes.mjs": story("") }),
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect(stderr).toBe("Standard output cannot be written: ENOSPC: no space left on device, write.\n");
    expect(status).toBe(2);
  },
);
