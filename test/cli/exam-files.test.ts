import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-"));
mkdirSync(join(folder, "empty"));
for (const [name, text] of Object.entries({
  "nothing.exam.mjs": "export const exam = {};",
  "a-function.exam.mjs": "export default () => undefined;",
  "broken.exam.mjs": 'throw new TypeError("The shop is misspelt");',
}))
  writeFileSync(join(folder, name), text);

test.for([
  ["shop.exam.mjs", /^There is no file or folder shop\.exam\.mjs in /],
  ["nothin.exam.mjs", /The nearest is nothing\.exam\.mjs\.$/],
  ["empty", /^There is no exam file in empty\. Exam files are named like shop\.exam\.ts\.$/],
  ["nothing.exam.mjs", /nothing\.exam\.mjs has no default export\. An exam file exports the options of exam\(\)/],
  ["a-function.exam.mjs", /The default export of a-function\.exam\.mjs is not an exam\./],
  ["broken.exam.mjs", /TypeError: The shop is misspelt/],
] as const)("%s is refused, and the exit code is 2", async ([path, says]) => {
  const { code, text } = await centavoIn(folder, "exam", path, "--jobs", "1");
  expect(text).toMatch(says);
  expect(code).toBe(2);
});
