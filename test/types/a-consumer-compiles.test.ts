import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { entries } from "../../scripts/entries.ts";
import { installPacked } from "../packed.ts";

const root = join(import.meta.dirname, "../..");

test("the packed tarball compiles in a consumer's ES module and CommonJS files, and so do its matchers in every runner", () => {
  const { folder } = installPacked("typed-consumer");
  for (const name of ["expect", "@types/jest"]) {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    symlinkSync(join(root, "test/beside/node_modules", name), join(folder, "node_modules", name), "junction");
  }
  const all = (some: typeof entries): string =>
    some.map(({ name }, index) => `export * as entry${index} from "${name}";\n`).join("");
  const uses = `expect("order-1").toHaveBeenPaidOnce();
    void (expect(Promise.resolve("order-1")).resolves.toHaveStatus("succeeded") satisfies Promise<void>);
    // @ts-expect-error no resource has this status
    expect("order-1").not.toHaveStatus("succeded");`;
  const files: Readonly<Record<string, string>> = {
    "module.mts": all(entries),
    "script.cts": all(entries.filter(({ commonjs }) => commonjs)),
    "vitest.mts": `import { expect } from "vitest"; import "centavo/vitest"; ${uses}`,
    "vitest.config.mts": `import { CoverageReporter } from "centavo/vitest-reporter"; import { defineConfig } from "vitest/config";
      export default defineConfig({ test: { reporters: ["default", new CoverageReporter({ thresholds: { states: 80 } })] } });`,
    "jest.mts": `import { expect } from "expect"; import "centavo/jest"; ${uses}`,
    "jest-globals.cts": `import "centavo/jest"; ${uses}`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    module: "node20",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: ["node", "jest"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const compile = (compiler: string, ...options: string[]): string =>
    execFileSync(process.execPath, [join(root, "node_modules", compiler), "--project", folder, ...options], {
      encoding: "utf8",
    });
  expect(compile("typescript/bin/tsc")).toBe("");
  expect(compile("@typescript/typescript6/bin/tsc6", "--skipLibCheck")).toBe("");
});
