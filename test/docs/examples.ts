import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import beside from "../beside/package.json" with { type: "json" };

export const root = join(import.meta.dirname, "../..");

export const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()];

/** A TypeScript block of the documentation, which is a whole program. */
export interface Example {
  readonly name: string;
  readonly file: string;
  readonly code: string;
}

const all: readonly Example[] = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
    name: `${page}, example ${index + 1}`,
    file: `${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`,
    code,
  })),
);

/** Those that need what only `test/beside` has installed, where they are compiled and run. */
export const examplesBeside = all.filter(
  ({ code }) =>
    code.includes("nextApp(") || Object.keys(beside.dependencies).some((name) => code.includes(`from "${name}"`)),
);

export const examples = all.filter((example) => !examplesBeside.includes(example));
