import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examples, root } from "./examples.ts";

const folder = join(root, ".cache/documented");

test("the compiler finds nothing wrong in the examples of the documentation, in a reader's strict project", () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples)
    writeFileSync(join(folder, file), code.replaceAll('"./shop.ts"', '"../../test/docs/shop.ts"'));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: "../../tsconfig.json",
      include: ["."],
      exclude: [],
      // What this repository asks of itself beside what `strict` asks of everybody.
      compilerOptions: { noPropertyAccessFromIndexSignature: false, noUnusedLocals: false, noUnusedParameters: false },
    }),
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "--singleThreaded", "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
