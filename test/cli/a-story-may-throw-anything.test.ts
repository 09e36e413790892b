import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { unreadableValues } from "../thrown-values.ts";
import { centavo } from "./commands.ts";

const values = pathToFileURL(join(import.meta.dirname, "../thrown-values.ts")).href;
const folder = mkdtempSync(join(tmpdir(), "centavo-"));

/** Writes a file for each value: a story that throws it, one that leaves it behind as a rejection, and a file that cannot be loaded. */
for (const index of unreadableValues.keys()) {
  const value = `import { unreadableValues } from ${JSON.stringify(values)};\nconst value = unreadableValues[${index}][1]();`;
  const story = (script: string): string =>
    `${value}\nexport default { title: "A story", options: {}, script: ${script} };`;
  writeFileSync(join(folder, `throws-${index}.mjs`), story("() => { throw value; }"));
  writeFileSync(join(folder, `caused-${index}.mjs`), story('() => { throw new Error("outer", { cause: value }); }'));
  writeFileSync(join(folder, `leaves-${index}.mjs`), story("() => { void Promise.reject(value); }"));
  writeFileSync(join(folder, `is-broken-${index}.mjs`), `${value}\nthrow value;`);
}

test.each([
  ["throws", "failed in"],
  ["caused", "Error: outer"],
  ["leaves", "left behind a rejected promise"],
  ["is-broken", "could not be loaded"],
])("a story that %s something unreadable has failed, and the others still run", async (kind, told) => {
  for (const [index, [what]] of unreadableValues.entries()) {
    const { code, text } = await centavo(
      "run",
      join(folder, `${kind}-${index}.mjs`),
      "stories/passes.ts",
      "--way",
      "memory",
    );
    expect(code, what).toBe(1);
    expect(text, what).toContain(told);
    expect(text, what).toContain("1 of ");
  }
});
