import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages, root } from "./examples.ts";

/** The shops whose code the pages show. test/packed-examples/other-languages.test.ts runs them. */
const shops = { python: "python-shop", php: "php-shop", bash: "curl-shop" };

const blocks = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/^```(python|php|bash)\n(.*?)^```$/gms)].map(
    ([, language, code = ""], index) => ({ page, index, shop: shops[language as keyof typeof shops], code }),
  ),
);

test("the pages show code of every shop", () => {
  expect(new Set(blocks.map(({ shop }) => shop))).toEqual(new Set(Object.values(shops)));
});

test.for(blocks)("block $index of $page is in $shop, line by line", ({ shop, code }) => {
  const sources = globSync("**/*.{py,php,sh}", { cwd: join(root, "examples", shop) }).map((path) =>
    withoutIndent(readFileSync(join(root, "examples", shop, path), "utf8")),
  );
  expect(sources.filter((source) => source.includes(withoutIndent(code)))).toHaveLength(1);
});

/** Returns a text whose lines may stand deeper elsewhere. */
function withoutIndent(text: string): string {
  return text.replaceAll(/^ +/gm, "");
}
