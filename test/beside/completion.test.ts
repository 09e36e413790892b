import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const main = join(root, "src/cli/main.ts");

/** The lines that the page of the commands gives for bash, zsh and fish, without what it says of them. */
const page = readFileSync(join(root, "docs/reference/commands.md"), "utf8");
const [inBash = "", inZsh = "", inFish = ""] = (/^```shell\n(.*?)^```$/ms.exec(page)?.[1] ?? "")
  .split("\n")
  .map((line) => line.replace(/ # .*$/, ""));

let folder = "";
let env: Readonly<Record<string, string>> & { readonly NODE_ENV: "test" } = { NODE_ENV: "test" };
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-completion-"));
  for (const own of ["bin", ".zfunc", ".config/fish/completions"]) mkdirSync(join(folder, own), { recursive: true });
  mkdirSync(join(folder, "stories"));
  writeFileSync(join(folder, "stories/past-due.ts"), "");
  writeFileSync(join(folder, "stories/paid.ts"), "");
  writeFileSync(join(folder, "stories/notes.md"), "");
  writeFileSync(join(folder, "run.json"), "");
  // Commands that the shell completes are printed instead of run.
  writeFileSync(
    join(folder, "bin/centavo"),
    `#!/bin/sh\ncase "$1" in\n  complete|completion) exec "${process.execPath}" "${main}" "$@";;\n  *) echo "RAN[$*]";;\nesac\n`,
  );
  chmodSync(join(folder, "bin/centavo"), 0o755);
  const path = `${join(folder, "bin")}${delimiter}${process.env["PATH"] ?? ""}`;
  env = { NODE_ENV: "test", PATH: path, HOME: folder, TERM: "xterm" };
});

/** Types keys into a shell that has a terminal, and returns the commands that it ran. */
async function typed(shell: string, setUp: string, keys: readonly string[]): Promise<readonly string[]> {
  const terminal = spawn("script", ["-qfec", shell, "/dev/null"], {
    cwd: folder,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    // What was typed is shown, too, but it has no sum.
    if (shown.includes("ready 42")) ready.resolve();
  });
  terminal.once("close", () => ended.resolve());
  terminal.stdin.write(`${setUp}\necho ready $((6 * 7))\n`);
  await ready.promise;
  for (const line of keys) terminal.stdin.write(`${line}\n`);
  terminal.stdin.write("exit\n");
  await ended.promise;
  return Array.from(shown.matchAll(/RAN\[(.*?)\]/g), ([, ran = ""]) => ran.trim());
}

/** What is typed, and the command that it becomes. */
const lines = [
  ["centavo repl\t run\t", "replay run.json"],
  ["centavo run --upd\t--way mem\t", "run --update-digests --way memory"],
  ["centavo run sto\tpas\t", "run stories/past-due.ts"],
  ["centavo exam mer\t", "exam merge"],
  ["centavo trigger subscription.pas\t", "trigger subscription.past_due"],
  ["centavo coverage --only subs\t", "coverage --only subscription"],
] as const;

describe.for([
  ["bash", "bash --norc -i", `source /usr/share/bash-completion/bash_completion; ${inBash}`],
  ["zsh", "zsh -f -i", `${inZsh}; fpath=(~/.zfunc $fpath); autoload -U compinit; compinit -u`],
] as const)("%s", ([, shell, setUp]) => {
  test("completes commands, options, their values and files at Tab", async () => {
    expect(
      await typed(
        shell,
        setUp,
        lines.map(([keys]) => keys),
      ),
    ).toEqual(lines.map(([, becomes]) => becomes));
  });
});

test.for([
  ["centavo repl", ["replay"]],
  ["centavo run --way ", ["intercept", "memory", "socket"]],
  ["centavo run stories/", ["stories/paid.ts", "stories/past-due.ts"]],
  ["centavo completion f", ["fish"]],
] as const)("fish completes %j", ([line, expected]) => {
  const { stdout, stderr } = spawnSync("fish", ["-c", `${inFish}; complete -C ${JSON.stringify(line)}`], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((each) => each.split("\t")[0]),
  ).toEqual(expected);
});
