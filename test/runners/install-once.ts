import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { installPacked } from "../packed.ts";

const root = join(import.meta.dirname, "../..");

/** Installs the packed tarball beside the tests of the small merchant, once for all files of this suite. */
export function setup(): void {
  const { folder, installed } = installPacked("runners");
  const shop = join(import.meta.dirname, "shop");
  cpSync(shop, join(folder, "shop"), { recursive: true });
  // Another copy of the interceptors than the one that Centavo finds, as another tool would bring it.
  const interceptors = join("node_modules/@mswjs/interceptors");
  cpSync(join(root, interceptors), join(folder, "shop/failing", interceptors), { recursive: true, dereference: true });
  // Two runs of Jest write recordings of the same tests.
  cpSync(join(shop, "failing/jest"), join(folder, "shop/failing/jest-with-modules"), { recursive: true });
  // A second copy of both, for which the name `vitest` leads to the version before.
  cpSync(shop, join(folder, "vitest-4/shop"), { recursive: true });
  mkdirSync(join(folder, "vitest-4/node_modules"));
  cpSync(installed, join(folder, "vitest-4/node_modules/centavo"), { recursive: true });
  symlinkSync(
    join(root, "installs/runners/vitest-4/node_modules/vitest"),
    join(folder, "vitest-4/node_modules/vitest"),
    "junction",
  );
}
