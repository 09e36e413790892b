import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import { folderWith } from "./story-folder.ts";

const STORY = '{ title: "A story", options: {}, script: () => {} }';

test.for([
  ["module.exports", `module.exports = ${STORY};`, ["story"]],
  ["a named export", `exports.one = ${STORY};`, ["story/one"]],
  ["what a compiler makes of a default", `exports.__esModule = true; exports.default = ${STORY};`, ["story"]],
  [
    "what a compiler makes of several",
    `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${STORY}; exports.other = ${STORY};`,
    ["story", "story/other"],
  ],
] as const)("a CommonJS story runs once: %s", async ([, text, names]) => {
  const ran = await centavoIn(folderWith({ "story.cjs": text }), "run", ".", "--json", "--way", "memory");
  const { stories } = JSON.parse(ran.text) as { readonly stories: readonly { readonly name: string }[] };
  expect(stories.map(({ name }) => name)).toEqual(names);
  expect(ran.code).toBe(0);
});

test("a story that a file exports by two names runs once", async () => {
  const folder = folderWith({ "story.mjs": `export const one = ${STORY}; export default one;` });
  const { text } = await centavoIn(folder, "run", ".", "--way", "memory");
  expect(text).toMatch(/^story: A story[^]*1 of 1 story passed$/);
});

test("a story that is an ES module in a CommonJS package is told both ways out", async () => {
  const folder = folderWith({
    "package.json": '{ "type": "commonjs" }',
    "story.ts": `import "node:fs";\nexport default ${STORY};`,
    "without-imports.ts": `export default ${STORY};`,
  });
  const { code, text } = await centavoIn(folder, "run", ".", "--way", "memory");
  const told =
    'CentavoError: Node reads this ES module as CommonJS, because the nearest package.json says "type": "commonjs". Set "type": "module" there, or end the name of the file in .mts or .mjs.';
  expect(text.split(told)).toHaveLength(3);
  expect(code).toBe(1);
});
