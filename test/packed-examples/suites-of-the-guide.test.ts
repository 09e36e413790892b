import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { root, suites } from "../docs/examples.ts";
import { installPacked } from "../packed.ts";
import { programOf, readJestReport, run } from "../runners/runner.ts";

const project = "suites-of-the-guide";

/** How many tests the files of each page have. */
const tests: Readonly<Record<(typeof suites)[number], number>> = {
  "docs/guide/from-msw.md": 7,
  "docs/guide/machines.md": 9,
  "docs/guide/quick-start.md": 4,
};

beforeAll(() => {
  installPacked(`runners/${project}`);
});

test.for(suites)("vitest runs the files of %s, as a reader saves them", async (page) => {
  const folder = `${project}/${page.replaceAll(/\W/g, "-")}`;
  const home = join(root, ".cache/runners", folder);
  mkdirSync(home);
  const files = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms);
  for (const [, name = "", code = ""] of files) writeFileSync(join(home, name), code);
  const { outcomes, output, code } = await run({
    folder,
    arguments: (report) => [programOf(".", "vitest"), "run", "--root=.", "--reporter=json", `--outputFile=${report}`],
    read: readJestReport,
  });
  expect(Object.values(outcomes), output).toEqual(Array(tests[page]).fill("passed"));
  expect(code).toBe(0);
  for (const program of readdirSync(home).filter((name) => name.endsWith(".mts"))) {
    const ran = await run({ folder, arguments: () => [program] });
    expect(ran, program).toMatchObject({ code: 0, output: expect.not.stringContaining("Assertion failed") as string });
  }
});
