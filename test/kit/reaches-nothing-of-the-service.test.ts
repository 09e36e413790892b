import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { importedModules, parse } from "../architecture/source-tree.ts";

const root = join(import.meta.dirname, "../..");

/** Every file that these lead to by relative imports, with themselves. */
function reachedFrom(paths: readonly string[]): ReadonlySet<string> {
  const reached = new Set(paths);
  for (const path of reached) {
    const modules = importedModules(parse(path, readFileSync(path, "utf8")));
    for (const module of modules) if (module.startsWith(".")) reached.add(join(dirname(path), module));
  }
  return reached;
}

test("neither the charge API nor its tests reach a file of the payment service", () => {
  const own = globSync("*.ts", { cwd: import.meta.dirname }).map((file) => join(import.meta.dirname, file));
  const reached = [...reachedFrom(own)].map((path) => relative(root, path).replaceAll("\\", "/"));
  expect(reached).toContain("src/kit/webhooks/outbox.ts");
  expect(reached.filter((path) => path.startsWith("src/service/"))).toEqual([]);
});

test("the charge API fits in 150 lines", () => {
  const lines = readFileSync(join(import.meta.dirname, "charge-api.ts"), "utf8")
    .trimEnd()
    .split("\n");
  expect(lines.length).toBeLessThan(150);
});
