import { existsSync, globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { joinSuites, root, suites } from "../../scripts/suites.ts";
import type { Stage, Suite } from "../../scripts/suites.ts";
import config from "../../vitest.config.ts";
import tsconfig from "../../tsconfig.json" with { type: "json" };

const names = Object.keys(suites);
const [first, ...others] = names;

test("npm test runs the first suite, and each of the others has a command of its own", () => {
  const scripts: Readonly<Record<string, string>> = manifest.scripts;
  expect(scripts["test"]).toBe(`node scripts/run-suite.ts ${first}`);
  for (const name of others) expect(scripts[`test:${name}`]).toBe(`node scripts/run-suite.ts ${name}`);
});

test(".ci/run installs the root, runs npm test, then every other suite by its name, and ends with their sum", () => {
  const lines = readFileSync(join(root, ".ci/run"), "utf8").trim().split("\n");
  const commands = ["npm ci", "npm test", `npm run test:together -- ${others.join(" ")}`];
  expect(lines.slice(-2)).toEqual([commands.join(" && "), "npm run --silent test:sum"]);
});

test("by night every suite runs with every row of its tables, before what runs by night alone", () => {
  const together = `EVERY_ROW=1 npm run test:together -- ${names.join(" ")}`;
  expect(manifest.scripts["test:nightly"].split(" && ").slice(1)).toEqual([together, "vitest run --project nightly"]);
});

test("suites that run together do all that each of them does alone, and nothing twice", () => {
  const together = joinSuites(names);
  const done = (suite: Suite): Readonly<Record<string, readonly string[]>> => ({
    installs: suite.installs,
    debianPackages: suite.debianPackages ?? [],
    stages: suite.stages.flat().flatMap((stage) => stepsOf(stage)),
  });
  const alone = Object.values(suites).map((suite) => done(suite));
  for (const [name, steps] of Object.entries(done(together)))
    expect(steps.toSorted()).toEqual([...new Set(alone.flatMap((each) => each[name] ?? []))].toSorted());
});

test("the workflow runs every suite on push and on pull request, in a job for each", () => {
  const workflow = parse(readFileSync(join(root, ".github/workflows/test.yml"), "utf8")) as {
    readonly on: object;
    readonly jobs: {
      readonly suite: {
        readonly strategy: { readonly matrix: { readonly suite: readonly string[] } };
        readonly steps: readonly { readonly run?: string }[];
      };
    };
  };
  expect(Object.keys(workflow.on)).toEqual(["push", "pull_request"]);
  const { strategy, steps } = workflow.jobs.suite;
  expect(strategy.matrix.suite).toEqual(names);
  expect(steps.map(({ run }) => run)).toEqual([undefined, "npm ci", "node scripts/run-suite.ts ${{ matrix.suite }}"]);
});

test("what a suite installs has a lock", () => {
  for (const folder of Object.values(suites).flatMap(({ installs }) => installs))
    expect(existsSync(join(root, folder, "package-lock.json")), folder).toBe(true);
});

test("the root checks the types and the style of what its packages are enough for, and the suites those of the rest", () => {
  const checked = Object.values(suites)
    .flatMap(({ stages }) => stages.flat())
    .flatMap((stage) => /^oxlint (\S+)$/.exec("command" in stage ? stage.command : "")?.[1] ?? []);
  const apart = tsconfig.exclude.filter((path) => path !== "test/docs/extracted");
  const patterns = [...manifest.scripts.lint.matchAll(/'([^']+)\/\*\*'/g)].flatMap(([, pattern = ""]) => {
    const [, before = "", list = "", after = ""] = /^(.*)\{(.+)\}(.*)$/.exec(pattern) ?? [];
    return list === "" ? [pattern] : list.split(",").map((name) => `${before}${name}${after}`);
  });
  expect(patterns.toSorted()).toEqual(apart.toSorted());
  expect(new Set(apart.map((path) => path.replace(/^examples\/.*/, "examples")))).toEqual(new Set(checked));
});

function stepsOf(stage: Stage): readonly string[] {
  if ("command" in stage) return [stage.command];
  return stage.projects.map((project) => `${project} on ${stage.runtime ?? "the pinned Node"}`);
}

test("what runs by night stands in no suite", () => {
  const [file = ""] = globSync("test/exam/*.nightly.test.ts", { cwd: root });
  const isIn = (patterns: readonly string[] = []): boolean => patterns.some((pattern) => matchesGlob(file, pattern));
  const projects = (config.test?.projects ?? []).flatMap((each) =>
    typeof each === "object" && "test" in each && each.test !== undefined ? [each.test] : [],
  );
  const running = projects.filter(({ include, exclude }) => isIn(include) && !isIn(exclude));
  expect(running.map(({ name }) => name)).toEqual(["nightly"]);
});
