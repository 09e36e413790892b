import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import { folderWith } from "./story-folder.ts";

const story = (options: string, body: string): string =>
  `export default { title: "A story", options: ${options}, script: async ({ clock, expect }) => { ${body} } };`;

test("Date follows the clock of a story, as in a test", async () => {
  const tells = `
    expect(new Date().toISOString()).toBe("2026-03-01T00:00:00.000Z");
    await clock.advance("1 day");
    expect(Date.now()).toBe(Date.parse("2026-03-02T00:00:00.000Z"));`;
  const folder = folderWith({ "tells.mjs": story('{ now: "2026-03-01T00:00:00Z" }', tells) });
  expect(await centavoIn(folder, "run", ".", "--way", "memory")).toMatchObject({ code: 0 });
});

test("each story of a file begins with its own time", async () => {
  const at = (now: string): string =>
    `{ title: "A story", options: { now: "${now}" }, script: ({ expect }) => expect(new Date().toISOString()).toBe("${now}") }`;
  const folder = folderWith({
    "both.mjs": `export const one = ${at("2026-03-01T00:00:00.000Z")}; export const two = ${at("2025-03-01T00:00:00.000Z")};`,
  });
  expect(await centavoIn(folder, "run", ".", "--way", "memory")).toMatchObject({ code: 0 });
});

test.for([
  ["says fakeDate: false", "{ fakeDate: false }", ""],
  ["fakes Date itself", "{}", "const { now } = Date; globalThis.Date = class extends Date { static isFake = true; };"],
] as const)("Date is left alone in a story that %s", async ([, options, before]) => {
  const tells = 'expect(Date.now() > Date.parse("2026-06-01")).toBe(true);';
  const folder = folderWith({ "tells.mjs": `${before}\n${story(options, tells)}` });
  expect(await centavoIn(folder, "run", ".", "--way", "memory")).toMatchObject({ code: 0 });
});
