import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { root } from "./suites.ts";

/** What people use beside Centavo. */
interface Row {
  readonly title: string;
  /** The package whose versions count. */
  readonly package: string;
  /** The lowest version that works, if the page says one. */
  readonly needs?: string;
  readonly tests: string;
  /** Whether patches differ so much that the page names them. */
  readonly exact?: true;
}

const rows: readonly Row[] = [
  { title: "Node.js", package: "node", needs: "22.18", tests: "`npm test`, `npm run test:runtimes`" },
  { title: "TypeScript", package: "typescript", needs: "5.5", tests: "`npm run test:types`" },
  {
    title: "vitest",
    package: "vitest",
    needs: "1.5; [before 4.1 not all](#older-versions)",
    tests: "`npm run test:runners`",
  },
  { title: "vitest in a browser, by Playwright", package: "playwright", tests: "`npm run test:browser`" },
  { title: "Playwright", package: "@playwright/test", tests: "`npm run test:browser`, `npm run test:examples`" },
  { title: "Jest", package: "jest", tests: "`npm run test:runners`" },
  { title: "Mocha", package: "mocha", tests: "`npm run test:runners`" },
  {
    title: "MSW",
    package: "msw",
    needs: "2.11; [before it not all](#older-versions)",
    tests: "`npm run test:beside`",
    exact: true,
  },
  { title: "nock", package: "nock", tests: "`npm run test:beside`", exact: true },
  { title: "jsdom", package: "jsdom", tests: "`npm run test:runners`" },
  { title: "esbuild", package: "esbuild", tests: "`npm run test:runners`" },
  { title: "Vite", package: "vite", tests: "`npm run test:runners`" },
  { title: "webpack", package: "webpack", tests: "`npm run test:runners`" },
  { title: "axios", package: "axios", tests: "`npm run test:beside`" },
  { title: "got", package: "got", tests: "`npm run test:beside`" },
  { title: "ky", package: "ky", tests: "`npm run test:beside`" },
  { title: "superagent", package: "superagent", tests: "`npm run test:beside`" },
  { title: "undici", package: "undici", tests: "`npm run test:beside`" },
  { title: "node-cron", package: "node-cron", tests: "`npm test`" },
  { title: "croner", package: "croner", tests: "`npm test`" },
  { title: "fake timers of sinon", package: "@sinonjs/fake-timers", tests: "`npm test`" },
  { title: "Express", package: "express", tests: "`npm run test:beside`" },
  { title: "Fastify", package: "fastify", tests: "`npm run test:beside`" },
  { title: "Hono", package: "hono", tests: "`npm run test:beside`" },
  { title: "Koa", package: "koa", tests: "`npm run test:beside`" },
  { title: "Nest", package: "@nestjs/core", tests: "`npm run test:beside`, `npm run test:examples`" },
  { title: "Next.js", package: "next", tests: "`npm run test:beside`, `npm run test:examples`" },
  { title: "`pg`", package: "pg", tests: "`npm run test:beside`" },
  { title: "Drizzle", package: "drizzle-orm", tests: "`npm run test:beside`" },
  { title: "Knex", package: "knex", tests: "`npm run test:beside`" },
  { title: "Prisma", package: "prisma", tests: "`npm run test:beside`" },
  { title: "PGlite", package: "@electric-sql/pglite", tests: "`npm run test:beside`" },
  { title: "`better-sqlite3`", package: "better-sqlite3", tests: "`npm run test:beside`" },
  { title: "`ioredis`", package: "ioredis", tests: "`npm run test:beside`" },
  { title: "`redis`", package: "redis", tests: "`npm run test:beside`" },
];

/** Other names under which a manifest installs a package. */
const aliases: Readonly<Record<string, string>> = { "@typescript/typescript6": "typescript" };

/** What a folder installs for the sake of another package, or for a tool of the repository. */
const beside = /^(@apiture\/|@arethetypeswrong\/|@nestjs\/|@vitest\/|openapi-|publint$|react|reflect-metadata$|rxjs$)/;

const manifest = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  devDependencies: z.optional(z.record(z.string(), z.string())),
});

/**
 * Renders the versions that the tests run, as the manifests of the repository install them.
 *
 * @throws {Error} when a folder in `installs` has a package of which the page says nothing
 */
export function compatibilityPage(): string {
  const folders = globSync("{examples/*,installs/*/*,test/beside}/package.json", { cwd: root }).toSorted();
  const installed = ["package.json", ...folders].flatMap((path) => {
    const { dependencies, devDependencies } = read(path);
    return Object.entries({ ...dependencies, ...devDependencies }).map(([name, range]) => ({ path, name, range }));
  });
  const forgotten = installed.filter(
    ({ path, name }) => path.startsWith("installs/") && !beside.test(name) && !rows.some((row) => row.package === name),
  );
  if (forgotten.length > 0)
    throw new Error(`scripts/compatibility-page.ts has no row for ${forgotten.map(({ name }) => name).join(", ")}.`);
  const lines = rows.map(({ title, package: name, needs = "", tests, exact = false }) => {
    const ranges = installed.filter((each) => (aliases[each.name] ?? each.name) === name).map(({ range }) => range);
    const versions = [...new Set(ranges.map((range) => versionOf(range, exact)))].toSorted((one, other) =>
      one.localeCompare(other, "en", { numeric: true }),
    );
    return `| ${title} | ${versions.join(", ")} | ${needs} | ${tests} |`;
  });
  return `# Compatibility

Check whether your versions are tested. What the repository installs is what its tests run, and a test fails when this page says anything else. \`node:test\` is that of each Node.js.

| What | Versions that the tests run | Lowest version | Tests |
| --- | --- | --- | --- |
${lines.join("\n")}

## Older versions

The package installs beside any version of vitest, MSW and \`expect\`. What an older one lacks says so when you use it.

| Version | What does not work there | What to use instead |
| --- | --- | --- |
| vitest before 4.1 | \`toMatchTimeline\`, \`toMatchInlineTimeline\` | \`expect(timelineOf(sim)).toMatchSnapshot()\`, with \`timelineOf\` from \`centavo/testing\` |
| vitest before 3.2 | the types of the [matchers](../guide/matchers.md) | the same as functions: \`assertStatus\` and others from \`centavo/testing\` |
| vitest before 3 | \`CoverageReporter\`, which refuses to start | [the collector](../guide/coverage.md#any-other-runner) in \`setupFiles\` |
| vitest before 1.5 | \`withSimulator\`, which refuses | \`simulated\` from \`centavo/testing\` |
| MSW before 2.11 | \`handlers(sim)\`, which refuses | \`intercept(sim)\` before \`server.listen()\` |
| undici before 8 | a call that waits in a \`Pool\` behind a call of an ended [interception](../guide/ways-in.md): it fails with \`WORLD_ENDED\`, even if a later interception runs when it is made | await every call before the interception ends, or use a pool per test |

Other versions may work. Centavo intercepts below the HTTP client and takes any fetch handler or \`(req, res)\` listener, so it depends on few of them.
`;
}

function read(path: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(root, path), "utf8")));
}

/** `^4.1.12` gives `4.1`: the lowest version that a range installs, without its patch unless it is to be exact. */
function versionOf(range: string, exact: boolean): string {
  return (exact ? /\d+\.\d+\.\d+/ : /\d+\.\d+/).exec(range)?.[0] ?? range;
}
