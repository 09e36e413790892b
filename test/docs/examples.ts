import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import beside from "../beside/package.json" with { type: "json" };

export const root = join(import.meta.dirname, "../..");

export const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()];

/** The pages whose blocks a reader saves as the files of one suite. test/packed-examples/suites-of-the-guide.test.ts runs them. */
export const suites = [
  "docs/guide/from-msw.md",
  "docs/guide/machines.md",
  "docs/guide/quick-start.md",
  "docs/guide/shake.md",
] as const;

/** A TypeScript block of the documentation, which is a whole program. */
export interface Example {
  readonly page: string;
  readonly name: string;
  readonly file: string;
  readonly code: string;
}

/** Needs a generated client. test/beside/contract/generated-control-client.test.ts generates it, and runs the block. */
const NEEDS_GENERATED = 'from "openapi-fetch"';

const found = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
    page,
    name: `${page}, example ${index + 1}`,
    file: `${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`,
    code,
  })),
);
const blocks = found.filter(({ code }) => !code.includes(NEEDS_GENERATED));

const all: readonly Example[] = blocks.map(({ page, name, file, code }) => ({
  page,
  name,
  file,
  code: code.replaceAll(/from "\.\/([\w./-]+)"/g, (_import, path: string) => `from "${fileNamed(path, page)}"`),
}));

/**
 * The file of the block that begins with a name, which readers save under it. README has no such blocks, but the quick start has them; the
 * stories on the page of incidents open the shop of the repository's own.
 */
function fileNamed(name: string, page: string): string {
  const home = page === "README.md" ? "docs/guide/quick-start.md" : page;
  const block = blocks.find((each) => each.page === home && each.code.startsWith(`// ${name}\n`));
  if (block !== undefined) return `./${block.file}`;
  const ofStories = join(root, "scenarios", name);
  if (page === "docs/guide/incidents.md" && existsSync(ofStories)) return ofStories;
  throw new Error(`${page} imports ${name}, and ${home} has no block that begins with it.`);
}

/** Those that Playwright runs as a suite, in test/browser/playwright.test.ts. */
export const examplesForPlaywright = all.filter(({ page }) => page === "docs/guide/playwright.md");

/** Those that need what only `test/beside` has installed, where they are compiled and run. */
export const examplesBeside = all.filter(
  ({ code }) =>
    code.includes("nextApp(") || Object.keys(beside.dependencies).some((name) => code.includes(`from "${name}"`)),
);

export const examples = all.filter(
  (example) => !examplesBeside.includes(example) && !examplesForPlaywright.includes(example),
);
