import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExamOptions } from "centavo/exam";
import { mutableMerchants } from "./mutable-merchants.ts";
import type { PlantedBug } from "./planted-bug.ts";

const repository = join(import.meta.dirname, "../../..");

/** Returns the exam of a copy of a merchant in which one place is wrong. */
export async function examOfMutant(bug: PlantedBug): Promise<ExamOptions<unknown>> {
  const { exam, options } = mutableMerchants[bug.merchant ?? "the example shop"];
  const copy = join(repository, ".cache/planted", bug.name.replaceAll(/\W+/g, "-"));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(folderOf(bug), copy, { recursive: true });
  writeFileSync(join(copy, bug.file), partsAround(bug).join(bug.replace));
  const module = (await import(/* @vite-ignore */ join(copy, exam))) as Readonly<Record<string, ExamOptions<unknown>>>;
  const found = module[options];
  if (found === undefined) throw new Error(`${exam} has no export ${options}`);
  return found;
}

/** Returns what stands before and after each place where the bug is to be planted. */
export function partsAround(bug: PlantedBug): readonly string[] {
  return readFileSync(join(folderOf(bug), bug.file), "utf8").split(bug.find);
}

function folderOf({ merchant = "the example shop" }: PlantedBug): string {
  return join(repository, mutableMerchants[merchant].folder);
}
