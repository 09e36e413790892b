import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
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
  const write = (kind: string, text: string): void => {
    mkdirSync(join(folder, kind), { recursive: true });
    writeFileSync(join(folder, kind, `${kind}-${index}.mjs`), `${value}\n${text}`);
  };
  const story = (script: string): string => `export default { title: "A story", options: {}, script: ${script} };`;
  write("throws", story("() => { throw value; }"));
  write("caused", story('() => { throw new Error("outer", { cause: value }); }'));
  write("leaves", story("() => { void Promise.reject(value); }"));
  write("throws-in-a-timer", story("() => new Promise(() => setTimeout(() => { throw value; }))"));
  write("is-broken", "throw value;");
}
for (const kind of readdirSync(folder))
  writeFileSync(join(folder, kind, "passes.mjs"), 'export default { title: "Passes", options: {}, script: () => {} };');

test.each([
  ["throws", "failed in"],
  ["caused", "Error: outer"],
  ["leaves", "left behind a rejected promise"],
  ["throws-in-a-timer", "An error was thrown that nothing caught"],
  ["is-broken", "could not be loaded"],
])("a story that %s something unreadable has failed, and the others still run", async (kind, told) => {
  const { code, text } = await centavo("run", join(folder, kind), "--way", "memory");
  expect(code).toBe(1);
  expect(text.split(told)).toHaveLength(unreadableValues.length + 1);
  expect(text).toContain("1 of ");
});
