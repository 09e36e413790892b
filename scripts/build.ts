/**
 * `node scripts/build.ts` runs `npm run build`, unless the build is there already: each suite that needs one asks for it, and runs alone or
 * after others. What the build is made of and what it made are read again each time, so it is never that of other sources.
 */
import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

const stamp = join(root, ".cache/build.sha256");
const parts = [
  "src/**",
  "scripts/{build-types,entries}.ts",
  "package.json",
  "package-lock.json",
  "*.config.ts",
  "tsconfig.json",
  "dist/**",
];

/** The digest of every file that goes into the build or comes out of it. */
function digest(): string {
  const hash = createHash("sha256");
  for (const path of globSync(parts, { cwd: root }).toSorted())
    if (statSync(join(root, path)).isFile()) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest()) console.log("The build is there already.");
else {
  execSync("npm run --silent build", { cwd: root, stdio: "inherit" });
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileSync(stamp, digest());
}
