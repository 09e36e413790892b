import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { root } from "./suites.ts";

/** What people use beside Centavo: the package whose versions count, and the tests that run it. */
const rows = [
  { title: "Node.js", package: "node", tests: "`npm test`, `npm run test:runtimes`" },
  { title: "TypeScript", package: "typescript", tests: "`npm run test:types`" },
  { title: "vitest", package: "vitest", tests: "`npm run test:runners`" },
  { title: "Jest", package: "jest", tests: "`npm run test:runners`" },
  { title: "Mocha", package: "mocha", tests: "`npm run test:runners`" },
  { title: "MSW", package: "msw", tests: "`test/ways-in`" },
  { title: "nock", package: "nock", tests: "`test/ways-in`" },
  { title: "jsdom", package: "jsdom", tests: "`test/ways-in`" },
  { title: "axios", package: "axios", tests: "`test/ways-in`" },
  { title: "got", package: "got", tests: "`test/ways-in`" },
  { title: "ky", package: "ky", tests: "`test/ways-in`" },
  { title: "superagent", package: "superagent", tests: "`test/ways-in`" },
  { title: "undici", package: "undici", tests: "`test/ways-in`" },
  { title: "Express", package: "express", tests: "`test/receivers`" },
  { title: "Fastify", package: "fastify", tests: "`test/receivers`" },
  { title: "Hono", package: "hono", tests: "`test/receivers`" },
  { title: "Koa", package: "koa", tests: "`test/receivers`" },
  { title: "Nest", package: "@nestjs/core", tests: "`test/receivers`, `npm run test:examples`" },
  { title: "Next.js", package: "next", tests: "`test/testing`, `npm run test:examples`" },
] as const;

/** Other names under which a manifest installs a package. */
const aliases: Readonly<Record<string, string>> = { "@typescript/typescript6": "typescript" };

/** What a workspace installs for the sake of another package, or for a tool of the repository. */
const beside = /^(@nestjs\/|openapi-|react|reflect-metadata$|rxjs$|typedoc|vite$|vitepress$)/;

const manifest = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  devDependencies: z.optional(z.record(z.string(), z.string())),
  engines: z.optional(z.record(z.string(), z.string())),
  peerDependencies: z.optional(z.record(z.string(), z.string())),
});

/**
 * Renders the versions that the tests run, as the manifests of the repository and of its workspaces install them.
 *
 * @throws {Error} when a workspace in `installs` has a package of which the page says nothing
 */
export function compatibilityPage(): string {
  const own = read("package.json");
  const workspaces = globSync("{examples/*,installs/*/*}/package.json", { cwd: root }).toSorted();
  const installed = ["package.json", ...workspaces].flatMap((path) => {
    const { dependencies, devDependencies } = read(path);
    return Object.entries({ ...dependencies, ...devDependencies }).map(([name, range]) => ({ path, name, range }));
  });
  const forgotten = installed.filter(
    ({ path, name }) => path.startsWith("installs/") && !beside.test(name) && !rows.some((row) => row.package === name),
  );
  if (forgotten.length > 0)
    throw new Error(`scripts/compatibility-page.ts has no row for ${forgotten.map(({ name }) => name).join(", ")}.`);
  const lines = rows.map(({ title, package: name, tests }) => {
    const ranges = installed.filter((each) => (aliases[each.name] ?? each.name) === name).map(({ range }) => range);
    const versions = [...new Set(ranges.map(versionOf))].toSorted((one, other) =>
      one.localeCompare(other, "en", { numeric: true }),
    );
    const supported = own.engines?.[name] ?? own.peerDependencies?.[name] ?? "";
    return `| ${title} | ${versions.join(", ")} | ${supported === "" ? "" : `\`${supported}\``} | ${tests} |`;
  });
  return `# Compatibility

Check whether your versions are tested. What the repository installs is what its tests run, and a test fails when this page says anything else. \`node:test\` is that of each Node.js.

| What | Versions that the tests run | What the package asks for | Tests |
| --- | --- | --- | --- |
${lines.join("\n")}

Other versions may work. Centavo intercepts below the HTTP client and takes any fetch handler or \`(req, res)\` listener, so it depends on few of them.
`;
}

function read(path: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(root, path), "utf8")));
}

/** `^4.1.12` gives `4.1`: the lowest version that a range installs, without its patch. */
function versionOf(range: string): string {
  return /\d+\.\d+/.exec(range)?.[0] ?? range;
}
