import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";

const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "extracted");

const pages = ["README.md", ...globSync("docs/**/*.md", { cwd: root }).toSorted()];

/** Every TypeScript block of the documentation; each is a whole program. */
const examples = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""], index) => ({
    name: `${page}, example ${index + 1}`,
    file: join(folder, `${page.replaceAll(/\W/g, "-")}-${index + 1}.ts`),
    code,
  })),
);

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  vi.stubEnv("WEBHOOK_SECRET", "whsec_dGVzdA==");
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Which test checks the blocks of each language; a block without a language is no code, but what something prints. */
const checkedBy: Readonly<Record<string, string>> = {
  "": "nothing has to check what is printed",
  ts: "this file runs them",
  js: "test/runners/pages-of-the-guide.test.ts runs them as files of a suite",
  sh: "test/docs/commands-of-the-guide.test.ts reads them",
  yaml: "test/docs/commands-of-the-guide.test.ts reads them",
  mermaid: "a picture, which GitHub draws",
};

test("every block of code is of a language that a test checks", () => {
  const languages = [...pages, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].flatMap((page) => {
    const fences = readFileSync(join(root, page), "utf8").match(/^ *(?:```|~~~).*$/gm) ?? [];
    return fences.filter((_fence, index) => index % 2 === 0).map((fence) => fence.trim().slice(3));
  });
  expect([...new Set(languages)].toSorted()).toEqual(Object.keys(checkedBy).toSorted());
});

// One of them holds an exam, which takes many seconds on a busy machine.
describe("the examples of the documentation run", { timeout: 90_000 }, () => {
  test.each(examples)("$name", async ({ file, code }) => {
    const assert = vi.spyOn(console, "assert");
    writeFileSync(file, runnable(code));
    await import(file);
    for (const [holds] of assert.mock.calls) expect(holds).toBe(true);
  });
});

/** Runs an example that is itself a test inside this one. */
function runnable(code: string): string {
  const here = code
    .replaceAll('"./shop.ts"', '"../shop.ts"')
    .replaceAll('nextApp("app"', 'nextApp("installs/frameworks/next/app"');
  if (!here.includes('from "vitest"')) return here;
  // vitest takes no test inside a test, so the same parts come from the function for other runners.
  if (here.includes("withSimulator(base"))
    return here
      .replace(
        'import { withSimulator } from "centavo/vitest"',
        'import "centavo/vitest"; import { simulated } from "centavo/testing"',
      )
      .replace("import { expect, test as base }", "import { expect }")
      .replace(
        /withSimulator\(base(?:, (.*?))?\);$/ms,
        (_call, options = "{}") => `(_name: string, run: never) => simulated(${options}, run)();`,
      )
      .replace(/^test\(/m, "await test(");
  const inner = here
    .replace(/import \{ expect, test \} from "vitest";\n/, 'import { expect } from "vitest";\n')
    .replace(/^test\("[^"]*", /m, "await (");
  return inner.replace(/\}\);\n$/, "})();\n");
}
