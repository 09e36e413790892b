import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createSimulator } from "centavo";
import { folderWith, story } from "./story-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

let folder = "";
beforeAll(() => {
  folder = folderWith({ "passes.mjs": story(""), "broken.exam.mjs": "export default 1;" });
  writeFileSync(join(folder, "run.json"), JSON.stringify(createSimulator().recording()));
});

/** Runs a command in a shell, whose redirections are those of a user. */
function shell(command: string): string {
  const line = command.replace("centavo", `"${process.execPath}" "${main}"`);
  return execFileSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" });
}

test.for([
  ["a report", "centavo report run.json --out /dev/stdout", /<!doctype html>[^]*<\/html>\s*Wrote the report/],
  [
    "a report of a replay",
    "centavo replay run.json --quiet --report /dev/stdout",
    /<!doctype html>[^]*Wrote the report/,
  ],
  ["a report of stories", "centavo run passes.mjs --way memory --report /dev/fd/1", /<!doctype html>/],
  [
    "the XML of JUnit",
    "centavo run passes.mjs --way memory --junit /dev/stdout",
    /<testsuites [^]*<\/testsuites>\n[^]*1 of 1 story passed/,
  ],
  [
    "what goes to a pipe",
    "centavo run passes.mjs --way memory --quiet --junit /dev/stdout | cat",
    /^<\?xml[^]*<\/testsuites>/,
  ],
  ["the verdict of an exam", "centavo exam broken.exam.mjs --report /dev/stdout || true", /"exams": \[\]/],
  [
    "what goes to a file",
    "centavo run passes.mjs --way memory --quiet --junit /dev/stdout > printed.txt; cat printed.txt",
    /^<\?xml[^]*<\/testsuites>\n[^]*1 of 1 story passed\n$/,
  ],
] as const)("%s is written to standard output, which stays what it is", ([, command, printed]) => {
  const before = existsSync("/dev/stdout") ? lstatSync("/dev/stdout").ino : 0;
  expect(shell(command)).toMatch(printed);
  expect(lstatSync("/dev/stdout").ino).toBe(before);
});

test("a named pipe is written to, and stays a pipe", () => {
  const read = shell(
    "mkfifo pipe; cat pipe > read.xml & centavo run passes.mjs --way memory --junit pipe; wait; cat read.xml",
  );
  expect(read).toContain("</testsuites>");
  expect(lstatSync(join(folder, "pipe")).isFIFO()).toBe(true);
});

test("a pipe that holds less than the report gets all of it", () => {
  const { stdout } = spawnSync(
    "sh",
    ["-c", `"${process.execPath}" "${main}" report run.json --out /dev/stdout | cat | wc -c`],
    { cwd: folder, encoding: "utf8" },
  );
  expect(Number(stdout)).toBeGreaterThan(100_000);
});

test("a link to a file stays a link, and its file is written", () => {
  const place = mkdtempSync(join(tmpdir(), "centavo-link-"));
  writeFileSync(join(place, "real.xml"), "old");
  symlinkSync(join(place, "real.xml"), join(place, "link.xml"));
  shell(`centavo run passes.mjs --way memory --junit ${join(place, "link.xml")}`);
  expect(lstatSync(join(place, "link.xml")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(place, "real.xml"), "utf8")).toContain("</testsuites>");
});

test("a device that takes nothing is named, with the reason, and the exit code is 2", () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [main, "run", "passes.mjs", "--way", "memory", "--junit", "/dev/full"],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );
  expect(stdout).toContain("The results /dev/full cannot be written: ENOSPC");
  expect(status).toBe(2);
});
