import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const examples = join(import.meta.dirname, "../../examples");
const shops = readdirSync(examples).filter((name) => name.endsWith("-shop"));

test.for(shops)("%s knows nothing of Centavo, but for its tests and its exam", (shop) => {
  const exclude = ["node_modules", "dist", "test", "test_*", "walk.sh", "**/*.exam.ts"];
  const sources = globSync("**/*.{ts,py,php,sh}", { cwd: join(examples, shop), exclude }).map((path) =>
    readFileSync(join(examples, shop, path), "utf8"),
  );
  expect(sources).not.toEqual([]);
  expect(sources.filter((source) => /centavo["'/]/i.test(source))).toEqual([]);
});

test("the page of the examples has all of them", () => {
  const page = readFileSync(join(examples, "README.md"), "utf8");
  const listed = [...page.matchAll(/^\| \[([\w-]+)\]/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(shops));
});
