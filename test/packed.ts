import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

const root = join(import.meta.dirname, "..");

/**
 * Makes an empty folder under `.cache` in which the packed tarball is installed, as in a user's project.
 * @returns the paths of the folder, and of the package in it
 */
export function installPacked(name: string): { readonly folder: string; readonly installed: string } {
  if (!existsSync(join(root, "dist"))) throw new Error("There is nothing to pack yet: run `npm run build` first.");
  const folder = join(root, ".cache", name);
  const installed = join(folder, "node_modules/centavo");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  const tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`);
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  // Without a separate package.json, the name `centavo` would resolve to the repository instead of the tarball.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true }));
  return { folder, installed };
}
