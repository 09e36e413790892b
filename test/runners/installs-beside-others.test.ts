import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { byNight } from "../by-night.ts";
import manifest from "../../package.json" with { type: "json" };

const tarball = join(import.meta.dirname, "../../.cache/runners", `${manifest.name}-${manifest.version}.tgz`);
/** How long npm may take to resolve what the registry tells it, in milliseconds. */
const timeout = 240_000;

test.for([
  ["msw@3", "nock@15"],
  ["vitest@0.34", "expect@28"],
  ...byNight([
    ["msw@1", "nock@14"],
    ["vitest@3.2.7", "expect@30"],
    ["msw@~2.15.0", "nock@14"],
    ["vitest@2", "expect@29"],
    ["vitest@4", "expect@29"],
  ]),
])("the packed tarball installs beside %s and %s with strict peers", { timeout }, async (others) => {
  expect(await install(others)).toEqual({ code: 0, output: expect.not.stringContaining("ERESOLVE") as string });
});

/** Lets npm resolve the packed tarball and other packages in an empty project, without unpacking any. */
async function install(others: readonly string[]): Promise<{ readonly code: unknown; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-install-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const options = ["--package-lock-only", "--strict-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
  // `npm run --silent`, which may have started the suite, silences every npm below it.
  options.push("--loglevel=error");
  try {
    return await new Promise((resolve) => {
      execFile("npm", ["install", ...options, tarball, ...others], { cwd: folder }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
      );
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
