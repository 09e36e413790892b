import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { isNight } from "../by-night.ts";
import { root, suites } from "../docs/examples.ts";
import { installPacked } from "../packed.ts";
import { programOf, readJestReport, run } from "../runners/runner.ts";

const project = "suites-of-the-guide";

/** How many tests the files of each page have. */
const tests: Readonly<Record<(typeof suites)[number], number>> = {
  "docs/guide/from-msw.md": 7,
  "docs/guide/machines.md": 9,
  "docs/guide/quick-start.md": 4,
  "docs/guide/shake.md": 1,
};

beforeAll(() => {
  installPacked(`runners/${project}`);
});

test.for(suites)("vitest runs the files of %s, as a reader saves them", async (page) => {
  const folder = `${project}/${page.replaceAll(/\W/g, "-")}`;
  const home = saveFilesOf(page, folder);
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

describe("centavo shake, in the suite of docs/guide/shake.md", () => {
  const page = readFileSync(join(root, "docs/guide/shake.md"), "utf8");
  const folder = `${project}/shaken`;
  const shake = (...options: readonly string[]) =>
    run({
      folder,
      arguments: () => [
        join("..", "node_modules/centavo/dist/esm/cli/main.js"),
        "shake",
        ...options,
        "--",
        process.execPath,
        programOf(".", "vitest"),
        "run",
        "--root=.",
      ],
    });

  test("finds what the page prints, and nothing once the reader has changed the line", async () => {
    const home = saveFilesOf("docs/guide/shake.md", folder);
    // By day, only what the page prints.
    const kinds = isNight ? [] : ["--only", "events-twice"];
    const found = await shake(...kinds);
    const token = / --replay (\S+) -- /.exec(found.output)?.[1] ?? "";
    const printed = /^```\n(✗ .*?\n)```$/ms.exec(page)?.[1] ?? "";
    expect(printed).not.toBe("");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(printed.replace(/ {2}Run it alone: .*\n$/, ""));
    expect(found.output.replace(token, `${token.slice(0, 4)}…`)).toContain(printed.replace(/(?<= -- ).*\n$/, ""));
    expect(found.code).toBe(1);

    const [, before = "", after = ""] = /^.*Replace `([^`]+)` with `([^`]+)`/m.exec(page) ?? [];
    const shop = readFileSync(join(home, "shop.ts"), "utf8");
    expect(shop).toContain(before);
    writeFileSync(join(home, "shop.ts"), shop.replace(before, after));
    expect(await shake("--replay", token)).toMatchObject({ code: 0 });
    expect(await shake(...kinds)).toMatchObject({ code: 0 });
  });
});

/** Saves the blocks of a page that begin with the name of a file, and returns their folder. */
function saveFilesOf(page: string, folder: string): string {
  const home = join(root, ".cache/runners", folder);
  mkdirSync(home);
  const files = readFileSync(join(root, page), "utf8").matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms);
  for (const [, name = "", code = ""] of files) writeFileSync(join(home, name), code);
  return home;
}
