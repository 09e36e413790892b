import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import type { Mistake } from "../exam/small-shop.ts";
import { placed } from "../exam/placed.ts";
import { centavoUntil } from "./commands.ts";
import { examIn } from "./exam-folder.ts";

const smallShop = readFileSync(join(import.meta.dirname, "../exam/small-shop.ts"), "utf8");
const story = { flow: { name: "order approved", steps: [] }, troubles: [placed("act order 1", "double click")] };
const token = tokenOf(story);

function git(folder: string, ...args: readonly string[]): string {
  const author = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@shop.example" };
  const committer = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@shop.example" };
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...author, ...committer, GIT_CONFIG_GLOBAL: "/dev/null" },
  });
}

/** Makes an empty folder, in which the temporary folders of a command lie, too. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  const temporary = join(folder, "temporary");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    const left = readdirSync(temporary).filter((name) => name.startsWith("centavo-"));
    expect(left, "what is left of the commit that was checked out").toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Writes a shop whose price comes from an installed package. */
function writeShop(folder: string, mistake: Mistake | undefined, open = ""): void {
  writeFileSync(join(folder, "small-shop.ts"), smallShop);
  writeFileSync(
    join(folder, "shop.exam.ts"),
    `import { openSmallShop } from "./small-shop.ts";
    import "installed";
    export default {
      open: (opening) => { ${open}; return openSmallShop(opening, ${JSON.stringify(mistake)}); },
      acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: ({ store }) => ({ orders: [...store.values()] }),
    };\n`,
  );
}

/** Makes a repository with a commit of a wrong shop, and of one that is mended. */
function repository(): string {
  const folder = join(emptyFolder(), "shop");
  mkdirSync(join(folder, "node_modules/installed"), { recursive: true });
  writeFileSync(join(folder, "node_modules/installed/index.js"), "");
  writeFileSync(join(folder, ".gitignore"), "node_modules\n");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  git(folder, "init", "--quiet");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "--message", "Begin");
  for (const mistake of ["no idempotency keys", undefined] as const) {
    writeShop(folder, mistake);
    git(folder, "add", ".");
    git(folder, "commit", "--quiet", "--message", mistake ?? "mended");
  }
  return folder;
}

const prove = (folder: string, before: string, ...more: readonly string[]) =>
  examIn(folder, "shop.exam.ts", "--prove", token, "--before", before, ...more);

describe("centavo exam --prove --before", () => {
  test("passes where the story failed at that commit, and passes in the working tree", async () => {
    const folder = repository();
    const commit = git(folder, "rev-parse", "--short", "HEAD~1").trim();
    const { code, text } = await prove(folder, "HEAD~1");
    expect(text.split("\n")).toEqual([
      expect.stringMatching(
        `^At HEAD~1 \\(${commit}\\): failed\\. charged-once: order-1 costs ₱499\\.00, and ₱998\\.00 was kept`,
      ),
      "Here: passed",
    ]);
    expect(code).toBe(0);
    expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  test("fails where the story passed at that commit, and where it fails here", async () => {
    const folder = repository();
    const passed = await prove(folder, "HEAD");
    expect(passed.text).toMatch(/^At HEAD \(\w+\): passed\nHere: passed$/);
    expect(passed.code).toBe(1);
    writeShop(folder, "no idempotency keys");
    const fails = await prove(folder, "HEAD~1");
    expect(fails.text).toMatch(/^At HEAD~1 \(\w+\): failed\. .*\nHere: failed\. charged-once: /);
    expect(fails.code).toBe(1);
  });

  test("plays the working tree as it is, with what is not committed", async () => {
    const folder = repository();
    git(folder, "checkout", "--quiet", "HEAD~1");
    writeShop(folder, undefined);
    expect(await prove(folder, "HEAD")).toMatchObject({ code: 0 });
    expect(git(folder, "status", "--porcelain").trim()).toBe("M shop.exam.ts");
  });

  test("says what is unfinished where the story no longer comes to its trouble", async () => {
    const folder = repository();
    const late = tokenOf({ ...story, troubles: [placed("call payment-intent.create 9", "response.lost")] });
    const { code, text } = await examIn(folder, "shop.exam.ts", "--prove", late, "--before", "HEAD~1");
    expect(text).toMatch(
      /^At HEAD~1 \(\w+\): unfinished\. The trouble response\.lost did not happen, .*\nHere: unfinished\. /,
    );
    expect(code).toBe(3);
  });

  test.for([
    ["throws at its start", 'throw new Error("no database")', "no database"],
    ["ends its process", "process.exit(0)", "exam: process.exit"],
    [
      "forges an answer",
      'process.send?.({ secret: "", replayed: { outcome: "failed" } }); process.exit(0)',
      "exam: process.exit",
    ],
  ])("says why a program that %s could not run there", async ([, open, why]) => {
    const folder = repository();
    writeShop(folder, "no idempotency keys", open);
    git(folder, "commit", "--quiet", "--all", "--message", "broken");
    writeShop(folder, undefined);
    const { code, text } = await prove(folder, "HEAD");
    expect(text).toMatch(/^At HEAD \(\w+\): could not run\. /);
    expect(text.split("\n")[0]).toContain(why);
    expect(text).toContain("\nHere: passed");
    expect(code).toBe(2);
  });

  test("plays the packages of the same repository as they were", async () => {
    const folder = repository();
    const library = join(folder, "packages/mistakes");
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, "package.json"), '{ "name": "mistakes", "type": "module", "exports": "./index.js" }');
    symlinkSync("../packages/mistakes", join(folder, "node_modules/mistakes"), "junction");
    const write = (mistake: Mistake | undefined): void =>
      writeFileSync(join(library, "index.js"), `export const mistake = ${JSON.stringify(mistake)};`);
    write("no idempotency keys");
    const exam = readFileSync(join(folder, "shop.exam.ts"), "utf8");
    writeFileSync(
      join(folder, "shop.exam.ts"),
      `import { mistake } from "mistakes";\n${exam.replace("(opening, undefined)", "(opening, mistake)")}`,
    );
    git(folder, "add", ".");
    git(folder, "commit", "--quiet", "--message", "in a package");
    write(undefined);
    expect(await prove(folder, "HEAD")).toMatchObject({ code: 0 });
  });

  test("works in a hook of git, and runs none", async () => {
    const folder = repository();
    writeFileSync(join(folder, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${folder}/ran\n`, { mode: 0o755 });
    vi.stubEnv("GIT_DIR", join(folder, ".git"));
    vi.stubEnv("GIT_INDEX_FILE", join(folder, ".git/index"));
    const { code } = await prove(folder, "HEAD~1");
    vi.stubEnv("GIT_DIR", undefined);
    vi.stubEnv("GIT_INDEX_FILE", undefined);
    expect(code).toBe(0);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  test.for([
    [
      "nowhere",
      "git knows no commit nowhere here. Name one that git log shows, such as HEAD~1; in a shallow clone, run git fetch --unshallow first.",
    ],
    ["--help", "git knows no commit --help here."],
    [
      "HEAD~2",
      "shop.exam.ts does not exist at HEAD~2. --prove plays the exam file of that commit, so name one that has it.",
    ],
  ])("refuses the commit %s", async ([ref, message]) => {
    const { code, text } = await examIn(repository(), "shop.exam.ts", "--prove", token, `--before=${ref}`);
    expect(text).toContain(message);
    expect(code).toBe(2);
  });

  test.for([
    [["--prove", token], "--prove <token> and --before <ref> belong together"],
    [["--before", "HEAD"], "--prove <token> and --before <ref> belong together"],
    [["--prove", token, "--before", "HEAD", "--write-test"], "so it takes no --write-test. Leave it out."],
    [
      ["small-shop.ts", "--prove", token, "--before", "HEAD"],
      "--prove plays a story of one exam, and 2 files were given.",
    ],
    [["--prove", "eyJmbG93", "--before", "HEAD"], "which is not a token of this version of Centavo."],
  ] as const)("refuses %j", async ([words, message]) => {
    const { code, text } = await examIn(repository(), "shop.exam.ts", ...words);
    expect(text).toContain(message);
    expect(code).toBe(2);
  });

  test("says that it takes git, and a repository", async () => {
    const folder = emptyFolder();
    writeShop(folder, undefined);
    const outside = await prove(folder, "HEAD");
    expect(outside.text).toMatch(
      /^--prove takes a git repository around the exam file\. git says: fatal: not a git repository/,
    );
    expect(outside.code).toBe(2);
    vi.stubEnv("PATH", folder);
    const without = await prove(folder, "HEAD");
    expect(without.text).toBe("--prove takes git, and there is none here. Install it.");
    expect(without.code).toBe(2);
  });

  test("removes the commit when it is interrupted", async () => {
    const folder = repository();
    writeShop(
      folder,
      undefined,
      `process.kill(${process.pid}, "SIGWINCH"); await new Promise(() => {})`.replace("await ", "return "),
    );
    git(folder, "commit", "--quiet", "--all", "--message", "never starts");
    const begun = Promise.withResolvers<void>();
    process.once("SIGWINCH", () => begun.resolve());
    const { code, text } = await centavoUntil(
      begun.promise,
      folder,
      "exam",
      "shop.exam.ts",
      "--prove",
      token,
      "--before",
      "HEAD",
    );
    expect(text).toBe("The command was interrupted before both stories were over.");
    expect(code).toBe(3);
    expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });

  test("removes the commit after Ctrl+C, also when it comes twice", async () => {
    const folder = repository();
    const open = `process.kill(process.ppid, "SIGINT"); process.kill(process.ppid, "SIGINT"); return new Promise(() => {})`;
    writeShop(folder, undefined, open);
    git(folder, "commit", "--quiet", "--all", "--message", "interrupts");
    const main = join(import.meta.dirname, "../../src/cli/main.ts");
    const args = [main, "exam", "shop.exam.ts", "--prove", token, "--before", "HEAD"];
    const code = await new Promise((resolve) => {
      execFile(process.execPath, args, { cwd: folder }, (error) => resolve(error?.code ?? 0));
    });
    expect(code).toBe(3);
    expect(git(folder, "worktree", "list").trim().split("\n")).toHaveLength(1);
  });
});
