import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "../../dist/esm");

test("the client brings neither the engine nor any package into a script", () => {
  const files = filesBehind("client.js");
  const packages = [...files.values()].flatMap((text) => modulesIn(text)).filter((name) => !name.startsWith("."));
  const size = [...files.values()].reduce((total, text) => total + text.length, 0);
  expect(files.size).toBeGreaterThan(1);
  expect(packages).toEqual([]);
  expect(size).toBeLessThan(20_000);
});

/** A built file and all that it imports of the package's own. */
function filesBehind(path: string, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(join(folder, path), "utf8");
  found.set(path, text);
  for (const name of modulesIn(text)) if (name.startsWith(".")) filesBehind(join(path, "..", name), found);
  return found;
}

function modulesIn(text: string): string[] {
  return [...text.matchAll(/^(?:import|export|\} from)\b[^"]*"([^"]+)";?$/gm)].map(([, name = ""]) => name);
}
