import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./examples.ts";
import type { Example } from "./examples.ts";

/**
 * Compiles examples in a reader's strict project, and returns what the compiler says.
 * @param lib the libraries of types that the project has, where they are not those of this repository
 */
export function compiled(examples: readonly Example[], folder: string, lib?: readonly string[]): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      include: ["."],
      exclude: [],
      // What this repository asks of itself beside what `strict` asks of everybody.
      compilerOptions: {
        ...(lib === undefined ? {} : { lib }),
        noPropertyAccessFromIndexSignature: false,
        noUnusedLocals: false,
        noUnusedParameters: false,
        rewriteRelativeImportExtensions: false,
      },
    }),
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "--singleThreaded", "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  return status === 0 ? "" : stdout || `The compiler ended with ${status}.`;
}
