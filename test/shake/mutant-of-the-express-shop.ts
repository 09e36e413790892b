import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedBug } from "./planted-bugs.ts";
import type { ShopModules } from "./suite-of-the-express-shop.ts";

const repository = join(import.meta.dirname, "../..");
const shop = join(repository, "examples/express-shop");

/** Loads a copy of the express shop in which a bug is planted. */
export async function mutantOfTheExpressShop({ name, changes }: PlantedBug): Promise<ShopModules> {
  const copy = join(repository, ".cache/shaken", name.replaceAll(/\W+/g, "-"));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(shop, copy, { recursive: true });
  for (const { file, find, replace } of changes) {
    const path = join(copy, file);
    const parts = readFileSync(path, "utf8").split(find);
    if (parts.length !== 2) throw new Error(`${file} has "${find}" ${parts.length - 1} times.`);
    writeFileSync(path, parts.join(replace));
  }
  const { createShop } = (await import(/* @vite-ignore */ join(copy, "shop.ts"))) as Pick<ShopModules, "createShop">;
  const { emptyStore } = (await import(/* @vite-ignore */ join(copy, "store.ts"))) as Pick<ShopModules, "emptyStore">;
  return { createShop, emptyStore };
}
