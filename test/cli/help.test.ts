import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const help = (...command: string[]): string =>
  execFileSync(process.execPath, [main, ...command, "--help"], { encoding: "utf8" });

test("the help of every command says what its exit code means", () => {
  const commands = Array.from(help().matchAll(/^ {2}([a-z]+) .*?\[options\]/gm), ([, name = ""]) => name);
  expect(commands).toContain("run");
  for (const command of [[], ...commands.map((name) => [name]), ["exam", "merge"]])
    expect(help(...command), command.join(" ")).toMatch(
      /\nExit codes: 0 passed, 1 failed, 2 could not run, 3 unfinished\.\n$/,
    );
});
