import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";
import type { Entry } from "../../scripts/entries.ts";

const dist = join(import.meta.dirname, "../../dist");
const hidden = ["hono", "@hono", "@mswjs", "xstate"];

test.for(entries)("the declarations of $name name only packages that its users know", (entry) => {
  const packages = packagesBehind(entry);
  const expected = entry.name === "centavo/machines" ? ["xstate"] : [];
  expect(packages.filter((name) => hidden.some((part) => name.startsWith(part)))).toEqual(expected);
});

test.for(entries.filter(({ esmOnlyPeer }) => esmOnlyPeer !== undefined))("those of $name name its peer", (entry) => {
  expect(packagesBehind(entry)).toContain(entry.esmOnlyPeer);
});

test("every declaration file is reached from an entry", () => {
  const reached = new Set(entries.flatMap((entry) => [...filesBehind(entry).keys()]));
  const facades = entries.filter(({ commonjs }) => commonjs).map(({ source }) => `cjs/${outputName(source)}.d.ts`);
  const files = globSync("**/*.d.ts", { cwd: dist }).map((path) => path.replaceAll("\\", "/"));
  expect(files.toSorted()).toEqual([...reached, ...facades].toSorted());
});

function packagesBehind(entry: Entry): string[] {
  const names = [...filesBehind(entry).values()].flatMap(modulesIn).filter((name) => !name.startsWith("."));
  return [...new Set(names)].toSorted();
}

/** The declarations of an entry and all that they import of the package's own, by path below `dist`. */
function filesBehind({ source }: Entry): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const follow = (path: string): void => {
    if (found.has(path)) return;
    const text = readFileSync(join(dist, path), "utf8");
    found.set(path, text);
    for (const name of modulesIn(text))
      if (name.startsWith(".")) follow(join(path, "..", name.replace(/\.js$/, ".d.ts")).replaceAll("\\", "/"));
  };
  follow(`esm/${outputName(source)}.d.ts`);
  return found;
}

function modulesIn(text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom ["']([^"']+)["']/gm)].map(([, name = ""]) => name);
}
