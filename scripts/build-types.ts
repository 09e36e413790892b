import { execSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entries } from "./entries.ts";

const root = join(import.meta.dirname, "..");
const cache = join(root, ".cache");
const project = join(cache, "tsconfig.declarations.json");

mkdirSync(cache, { recursive: true });
writeJson(project, {
  extends: "../tsconfig.json",
  compilerOptions: {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: "../src",
    outDir: "../dist/esm",
  },
  include: [],
  files: entries.map((entry) => `../${entry.source}`),
});
execSync("tsc --project .cache/tsconfig.declarations.json", { cwd: root, stdio: "inherit" });

// The declarations of both formats are the same. The package.json above them says which format they describe.
cpSync(join(root, "dist/esm"), join(root, "dist/cjs"), {
  recursive: true,
  filter: (path) => !path.endsWith(".js"),
});
writeJson(join(root, "dist/cjs/package.json"), { type: "commonjs", sideEffects: false });

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
