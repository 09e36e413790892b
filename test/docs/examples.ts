import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()];

/** Every TypeScript block of the documentation; each is a whole program. */
export const examples = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
    name: `${page}, example ${index + 1}`,
    file: `${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`,
    code,
  })),
);
