import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExamOptions } from "centavo/exam";
import type { ShopStore } from "../../../examples/express-shop/store.ts";
import type { PlantedBug } from "./bugs.ts";

const repository = join(import.meta.dirname, "../../..");

/** Returns the exam of a copy of the example shop in which one line is wrong. */
export async function examOfMutant({ name, file, find, replace }: PlantedBug): Promise<ExamOptions<ShopStore>> {
  const folder = join(repository, ".cache/planted", name.replaceAll(/\W+/g, "-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(repository, "examples/express-shop"), folder, { recursive: true });
  const path = join(folder, file);
  const parts = readFileSync(path, "utf8").split(find);
  if (parts.length !== 2) throw new Error(`"${find}" is ${parts.length - 1} times in ${file}, not once`);
  writeFileSync(path, parts.join(replace));
  const module = (await import(/* @vite-ignore */ join(folder, "shop.exam.ts"))) as {
    readonly default: ExamOptions<ShopStore>;
  };
  return module.default;
}
