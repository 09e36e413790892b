import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { installPacked } from "../packed.ts";

const examples = join(import.meta.dirname, "../../examples");

/** Installs the packed tarball beside copies of the examples. Their other packages are those of the repository. */
export function setup(): void {
  const { folder, installed } = installPacked("examples");
  const program = join(installed, "dist/esm/cli/main.js");
  chmodSync(program, 0o755);
  mkdirSync(join(folder, "node_modules/.bin"));
  symlinkSync(program, join(folder, "node_modules/.bin/centavo"));
  for (const name of readdirSync(examples).filter((entry) => entry.endsWith("-shop"))) {
    const filter = (path: string): boolean => !["node_modules", "dist"].includes(basename(path));
    cpSync(join(examples, name), join(folder, name), { recursive: true, filter });
    const modules = join(examples, name, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(folder, name, "node_modules"), "junction");
  }
}
