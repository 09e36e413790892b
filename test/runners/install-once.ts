import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { installPacked } from "../packed.ts";

const root = join(import.meta.dirname, "../..");

/** Installs the packed tarball beside the tests of the small merchant, once for all files of this suite. */
export function setup(): void {
  const { folder, installed } = installPacked("runners");
  const shop = join(folder, "shop");
  for (const name of ["@nestjs", "fastify", "koa", "next", "react", "react-dom", "reflect-metadata", "superagent"])
    symlinkSync(join(root, "test/beside/node_modules", name), join(folder, "node_modules", name), "junction");
  cpSync(join(import.meta.dirname, "shop"), shop, { recursive: true });
  // Another copy of the interceptors than the one that Centavo finds, as another tool would bring it.
  const interceptors = join("node_modules/@mswjs/interceptors");
  cpSync(join(root, interceptors), join(shop, "failing", interceptors), { recursive: true, dereference: true });
  // Two runs of Jest write recordings of the same tests.
  cpSync(join(shop, "failing/jest"), join(shop, "failing/jest-with-modules"), { recursive: true });
  // Other copies of both, for which the name `vitest` leads to versions before, or to one that has jsdom beside it.
  for (const version of [...[0, 1, 2, 3, 4, "4.0"].map((number) => `vitest-${number}`), "jsdom"]) {
    const modules = join(folder, version, "node_modules");
    mkdirSync(modules, { recursive: true });
    cpSync(shop, join(folder, version, "shop"), { recursive: true });
    cpSync(installed, join(modules, "centavo"), { recursive: true });
    symlinkSync(join(root, "installs/runners", version, "node_modules/vitest"), join(modules, "vitest"), "junction");
  }
}
