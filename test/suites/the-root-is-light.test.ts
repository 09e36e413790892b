import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/suites.ts";

interface Lock {
  readonly packages: Readonly<Record<string, Package>>;
}
interface Package {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly resolved?: string;
}

const MOST_PACKAGES = 300;
/** In megabytes. */
const MOST_SPACE = 300;

const lockOf = (path: string): Lock => JSON.parse(readFileSync(join(root, path), "utf8")) as Lock;
const locks = globSync(
  ["package-lock.json", "{examples,site}/package-lock.json", "{installs,test}/**/package-lock.json"],
  {
    cwd: root,
    exclude: ["**/node_modules/**"],
  },
);

test(`npm ci installs at most ${MOST_PACKAGES} packages`, () => {
  const installed = Object.entries(lockOf("package-lock.json").packages).filter(
    ([path, { os = [platform()], cpu = [arch()], link = false }]) =>
      path !== "" && !link && os.includes(platform()) && cpu.includes(arch()),
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.length).toBeLessThanOrEqual(MOST_PACKAGES);
});

// Folders that begin with a dot are caches of tools that ran.
test(`they take at most ${MOST_SPACE} MB`, () => {
  const printed = execFileSync("du", ["-sk", "--exclude=node_modules/.*", "node_modules"], {
    cwd: root,
    encoding: "utf8",
  });
  expect((Number.parseInt(printed, 10) * 1024) / 1_000_000).toBeLessThanOrEqual(MOST_SPACE);
});

test.for(locks)("%s names no host, so that it installs from any registry", (path) => {
  const resolved = Object.values(lockOf(path).packages).flatMap((each) => each.resolved ?? []);
  expect(resolved.filter((from) => from.includes("://"))).toEqual([]);
});

test("there are locks to read", () => {
  expect(locks).toEqual(expect.arrayContaining(["package-lock.json", "test/beside/package-lock.json"]));
});
