import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { installPacked } from "../packed.ts";

const examples = join(import.meta.dirname, "../../examples");
const isShop = (name: string): boolean => name.endsWith("-shop");

/** Installs the packed tarball beside copies of the examples. Their other packages are those that `npm ci` installs in `examples`. */
export function setup(): void {
  const { folder, installed } = installPacked("examples");
  const program = join(installed, "dist/esm/cli/main.js");
  chmodSync(program, 0o755);
  link(join(examples, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "node_modules/.bin"));
  link(join(examples, "node_modules/.bin"), join(folder, "node_modules/.bin"));
  symlinkSync(program, join(folder, "node_modules/.bin/centavo"));
  for (const name of readdirSync(examples).filter(isShop)) {
    const filter = (path: string): boolean => !["node_modules", "dist"].includes(basename(path));
    cpSync(join(examples, name), join(folder, name), { recursive: true, filter });
    const modules = join(examples, name, "node_modules");
    if (existsSync(modules)) symlinkSync(modules, join(folder, name, "node_modules"), "junction");
  }
}

/** Links what is in one folder into another, except the shops, Centavo and what npm hides. */
function link(from: string, to: string): void {
  for (const name of readdirSync(from))
    if (!name.startsWith(".") && name !== "centavo" && !isShop(name))
      symlinkSync(join(from, name), join(to, name), "junction");
}
