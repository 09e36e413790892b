import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const docs = join(import.meta.dirname, "../../docs");
const help = (...command: string[]): string =>
  execFileSync(process.execPath, [main, ...command, "--help"], { encoding: "utf8" });

/** The commands that a help lists. */
function commandsIn(text: string): string[] {
  const [, listed = ""] = text.split("\nCommands:\n");
  return Array.from(listed.matchAll(/^ {2}([a-z]+) /gm), ([, name = ""]) => name).filter((name) => name !== "help");
}

const names = commandsIn(help());
const commands = [...names.map((name) => [name]), ["exam", "merge"]];

test("the help lists the commands, and what exit codes mean for all of them", () => {
  expect(names).toEqual(
    expect.arrayContaining(["run", "exam", "replay", "report", "coverage", "serve", "record", "trigger", "completion"]),
  );
  expect(names).not.toContain("complete");
  expect(help()).toContain("\nExit codes: 0 passed, 1 failed, 2 could not run, 3 unfinished.\n");
});

test.for(commands)("the help of %s teaches", (command) => {
  const text = help(...command);
  const parts = text.split(/\n(?=[A-Z][^\n]*:(?:\n| ))/);
  const part = (title: string): string => parts.find((each) => each.startsWith(title)) ?? "";
  expect(text.split("\n\n")[1]?.length).toBeGreaterThan(60);
  const examples = part("Examples:").match(/^ {2}\$ .*centavo .+\n {6}\S/gm) ?? [];
  expect(examples.length).toBeGreaterThan(1);
  expect(part("Exit codes:")).toMatch(/^Exit codes:\n {2}0 .+(?:\n {2}[\d ].+)*\n {2}2 /m);
  const pages = [...part("Read on:").matchAll(/docs\/(\S+?\.md)/g)].map(([, page = ""]) => page);
  expect(pages.filter((page) => !existsSync(join(docs, page)))).toEqual([]);
  expect(pages).not.toEqual([]);
  expect(text.split("\n").filter((line) => line.length > 100 && !line.startsWith("  $ "))).toEqual([]);
});

test.for(commands)("the examples of %s take options that it has", (command) => {
  const text = help(...command);
  const [, examples = ""] = /\nExamples:\n([^]*)\nExit codes:/.exec(text) ?? [];
  const used = examples
    .split("\n")
    .filter((line) => line.startsWith("  $ "))
    .flatMap((line) => Array.from(line.matchAll(/(?<= )--[a-z-]+/g), ([option]) => option));
  expect(used.filter((option) => !text.includes(`\n  ${option}`))).toEqual([]);
});
