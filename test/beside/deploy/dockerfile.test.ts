import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import type { Instruction } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { installPacked } from "../../packed.ts";
import { freePort } from "../../free-port.ts";

const text = readFileSync(join(import.meta.dirname, "../../../deploy/Dockerfile"), "utf8");
const instructions = DockerfileParser.parse(text).getInstructions();

test("the linter finds nothing in the Dockerfile, and would", () => {
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace("WORKDIR /var", "WORKDIR var").replace("USER", "USERS"))).toHaveLength(2);
});

test("the image has a version of Node that the package takes, and runs as a user who is not root", () => {
  const images = argumentsOf("FROM").map((words) => words.split(" ")[0]);
  expect(new Set(images).size).toBe(1);
  const [, major] = /^node:(\d+)-slim$/.exec(images[0] ?? "") ?? [];
  const [, lowest] = /^>=(\d+)\./.exec(manifest.engines.node) ?? [];
  expect(Number(major)).toBeGreaterThanOrEqual(Number(lowest));
  expect(argumentsOf("USER")).toEqual(["node"]);
  // What only root may do stands before.
  const keywords = instructions.map((instruction) => instruction.getKeyword());
  expect(keywords.slice(keywords.lastIndexOf("USER"))).not.toContain("RUN");
});

test("what the image runs answers its own health check, keeps its worlds, and stops at a signal", async () => {
  const { folder } = installPacked("image");
  const state = join(folder, "state");
  mkdirSync(state);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [tarball] = argumentsOf("COPY");
  expect(tarball).toBe("centavo-*.tgz ./");
  rmSync(join(folder, "node_modules"), { recursive: true });
  const [step = ""] = argumentsOf("RUN");
  execFileSync("sh", ["-c", step.replace("npm install", "npm install --prefer-offline")], { cwd: folder });

  const port = await freePort();
  const inFolder = (words: string): string[] =>
    (JSON.parse(words) as string[]).map((word) =>
      word.replace("/opt/centavo", folder).replace("/var/lib/centavo", state).replace(":4010", `:${port}`),
    );
  const [[command = "", ...begin], options] = ["ENTRYPOINT", "CMD"].map((keyword) =>
    inFolder(argumentsOf(keyword).at(-1) ?? "[]"),
  ) as [string[], string[]];
  const [check = ""] = argumentsOf("HEALTHCHECK");
  const [node = "", ...script] = inFolder(check.slice(check.indexOf("[")));
  const isHealthy = (): boolean => {
    try {
      execFileSync(node, script);
      return true;
    } catch {
      return false;
    }
  };
  expect(isHealthy()).toBe(false);
  const child = spawn(command, [...begin, ...options, "--port", String(port)], { cwd: state, stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  expect(isHealthy()).toBe(true);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readFileSync(join(state, "worlds.db")).length).toBeGreaterThan(0);
});

function argumentsOf(keyword: string): string[] {
  return instructions
    .filter((instruction: Instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getRawArgumentsContent() ?? "");
}
