import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { nodes } from "../../nodes.ts";
import { newStateFile } from "./state-files.ts";

const source = (path: string): string => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
const program = `
  import { createSimulator } from ${source("index.ts")};
  import { serve } from ${source("server.ts")};
  const isLoaded = () => process.moduleLoadList.includes("NativeModule sqlite");
  await (await serve(createSimulator())).close();
  const before = isLoaded();
  await (await serve(createSimulator(), { state: process.argv[1] })).close();
  process.emitWarning("another warning");
  process.stdout.write(JSON.stringify([before, isLoaded()]));`;

describe.for(Object.entries(nodes))("on %s", ([, node]) => {
  const run = (...options: readonly string[]) =>
    spawnSync(node, [...options, "--input-type=module", "--eval", program, newStateFile()], { encoding: "utf8" });

  test("SQLite is loaded with the first file, and only its own warning is kept from the user", () => {
    const { stdout, stderr } = run();
    expect(JSON.parse(stdout)).toEqual([false, true]);
    expect(stderr).toContain("another warning");
    expect(stderr).not.toContain("ExperimentalWarning");
  });

  test("without SQLite, the option says what it needs", () => {
    expect(run("--no-experimental-sqlite").stderr).toMatch(
      /The option state needs node:sqlite, .*Use Node 22\.18 or newer/,
    );
  });
});
