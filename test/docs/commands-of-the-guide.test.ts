import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import manifest from "../../package.json" with { type: "json" };
import { createProgram } from "../../src/cli/program.ts";
import { CONTROL_PATH } from "../../src/client/control-api.ts";
import { controlRoutes } from "../../src/server/control/routes.ts";

const root = join(import.meta.dirname, "../..");
const pages = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()];

/** The blocks of one language in the documentation. */
function blocks(language: "sh" | "yaml"): readonly { readonly name: string; readonly text: string }[] {
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(fence)].map(([, text = ""], index) => ({
      name: `${page}, ${language} example ${index + 1}`,
      text,
    })),
  );
}

/** Runs a script in which `npx`, `npm` and `curl` only say how they were called, and returns that. */
function callsOf(script: string): readonly string[] {
  const spoken =
    'npx() { echo "npx $*"; }\nnpm() { echo "npm $*"; }\ncurl() { echo "curl $*"; }\nnode() { :; }\nrm() { :; }\n';
  const env = { CENTAVO_TOKEN: "token", JOB_COMPLETION_INDEX: "2", PATH: "" };
  // A script may write what a command prints to a file.
  const cwd = mkdtempSync(join(tmpdir(), "centavo-guide-"));
  const printed = execFileSync("/bin/sh", ["-eu", "-c", spoken + script], {
    cwd,
    encoding: "utf8",
    env,
    stdio: "pipe",
  });
  const written = readdirSync(cwd).map((name) => readFileSync(join(cwd, name), "utf8"));
  rmSync(cwd, { recursive: true });
  return (printed + written.join("")).trim().split("\n");
}

/** The runners, and the words that each is called with. test/runners and test/browser run them. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  vitest: ["--watch"],
  jest: ["--watch"],
  mocha: ["--watch"],
  playwright: ["install chromium"],
};

/** @throws what the command line says of a wrong command */
async function read(call: string): Promise<void> {
  const [tool, ...words] = call.split(" ");
  if (tool === "npm") {
    const [, name = ""] = words;
    if (words[0] === "run") expect(Object.keys(manifest.scripts)).toContain(name);
    else expect(["ci", "install", "test"]).toContain(words[0]);
    return;
  }
  if (tool === "curl") {
    const method = words[words.indexOf("--request") + 1] ?? "";
    const routes = controlRoutes().map((route) => `${route.method} ${CONTROL_PATH}${route.path}`);
    expect(routes).toContain(`${method} ${new URL(words.at(-1) ?? "").pathname}`);
    return;
  }
  const name = words.shift() ?? "";
  if (tool === "npx" && RUNNERS[name] !== undefined) return expect(RUNNERS[name]).toContain(words.join(" "));
  expect(name).toBe("centavo");
  const program = createProgram({
    output: { print: () => undefined, printError: () => undefined, colours: false },
    directory: root,
    exit: () => undefined,
    end: () => undefined,
    stopped: () => Promise.resolve(2),
  });
  onlyRead(program);
  await program.parseAsync(words, { from: "user" });
}

function onlyRead(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => undefined });
  if (command.commands.length === 0 || command.name() === "exam") command.action(() => undefined);
  for (const each of command.commands) onlyRead(each);
}

async function readAll(script: string): Promise<void> {
  const calls = callsOf(script);
  expect(calls.join("")).not.toBe("");
  for (const call of calls) await read(call);
}

describe("the commands of the documentation exist", () => {
  test.for(blocks("sh"))("$name", async ({ text }) => {
    await readAll(text);
  });

  const inText = pages.flatMap((page) =>
    [...readFileSync(join(root, page), "utf8").matchAll(/`(npx centavo [^`\n]+)`/g)].map(([, call = ""]) => call),
  );

  test.for(inText)("%s", async (call) => {
    await read(call.replaceAll(/<[a-z]+>/g, "name"));
  });

  test("a command that does not exist is noticed", async () => {
    await expect(readAll("npx centavo exam shop.exam.ts --secnds 60")).rejects.toThrow("unknown option '--secnds'");
    await expect(readAll("npx vitest --wach")).rejects.toThrow("--wach");
    await expect(readAll("npx centavo examine shop.exam.ts")).rejects.toThrow("unknown command 'examine'");
    expect(() => callsOf("npx centavo (")).toThrow("yntax error");
  });
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly needs?: string; readonly steps: readonly Step[] }>>;
}
type Step = { readonly uses: string } | { readonly run: string };

interface KubernetesJob {
  readonly spec: {
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly command: readonly string[];
          readonly args: readonly string[];
          readonly volumeMounts: readonly { readonly name: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

describe("the YAML of the documentation", () => {
  const files = blocks("yaml").map(({ text }) => parse(text) as Workflow | KubernetesJob);
  const workflow = files.find((file) => "jobs" in file);
  const job = files.find((file) => "spec" in file);

  test("is a workflow of GitHub and a Job of Kubernetes", () => {
    expect(files).toHaveLength(2);
    expect([workflow, job]).not.toContain(undefined);
  });

  test("the workflow's jobs wait for jobs that exist, and run commands that exist, all in as many shards", async () => {
    const jobs = workflow?.jobs ?? {};
    for (const { needs, steps } of Object.values(jobs)) {
      if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs);
      for (const step of steps)
        if ("run" in step) await readAll(step.run.replaceAll(/\$\{\{ matrix\.(\w+) \}\}/g, "3"));
        else expect(step.uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    }
    const shards = (jobs["search"] as unknown as { strategy: { matrix: { shard: number[] } } }).strategy.matrix.shard;
    expect(shards).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(JSON.stringify(jobs)).toContain(`/${shards.length} --report`);
  });

  test.each([
    ["passed", 0, 0],
    ["failed", 1, 0],
    ["could not run", 2, 1],
    ["unfinished", 3, 0],
  ])("a pod whose exam %s is repeated only if it could not run", (_end, code, expected) => {
    const [container] = job?.spec.template.spec.containers ?? [];
    const script = `npx() { return ${code}; }\n${container?.args[0]}`;
    const { status } = spawnSync("/bin/sh", ["-c", script], {
      env: { CENTAVO_TOKEN: "token", JOB_COMPLETION_INDEX: "2", PATH: "" },
    });
    expect(status).toBe(expected);
  });

  test("the Job's pods run a command that exists, each its own shard, and write to a volume that exists", () => {
    const { completions, template } = job?.spec ?? ({} as KubernetesJob["spec"]);
    const [container] = template.spec.containers;
    expect(container?.command).toEqual(["sh", "-c"]);
    const [call = "", ...others] = callsOf(container?.args[0] ?? "");
    expect(others).toEqual([]);
    expect(call).toContain(`--shard 3/${completions} `);
    const names = template.spec.volumes.map(({ name }) => name);
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(names);
    return read(call);
  });
});
