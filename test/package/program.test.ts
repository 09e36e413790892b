import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const program = join(root, "dist/esm/cli/main.js");
const stories = ["three-d-secure-passed", "webhook-endpoint-down-then-back"].map((name) => `scenarios/${name}.ts`);

test("the program runs stories, each to its frozen digest", () => {
  const { code, printed } = centavo("run", ...stories, "--digests", "test/scenarios/digests.json");
  expect(printed).toMatch(/2 of 2 stories passed\n$/);
  expect(code).toBe(0);
  expect(printed).not.toContain("\u001B");
});

test("a failing story, an unknown name and a wrong option each have their exit code", () => {
  const failing = centavo("run", "test/cli/stories/fails.ts");
  expect(failing).toMatchObject({
    code: 1,
    printed: expect.stringContaining("failed in test/cli/stories/fails.ts") as string,
  });
  // Beside two files, so that not every story is loaded for its name.
  const unknown = centavo("run", ...stories, "three-d-secure-pased");
  expect(unknown).toMatchObject({
    code: 2,
    printed: expect.stringContaining("The nearest is: three-d-secure-passed") as string,
  });
  const wrong = centavo("serve", "--port", "many");
  expect(wrong).toMatchObject({
    code: 2,
    complaint: expect.stringContaining("A port is a number from 0 to 65535.") as string,
  });
});

test("it knows its version", () => {
  expect(centavo("--version").printed).toMatch(/^\d+\.\d+\.\d+/);
});

function centavo(...args: string[]): { code: number | null; printed: string; complaint: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
  return { code: status, printed: stdout, complaint: stderr };
}
