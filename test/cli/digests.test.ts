import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import { folderWith, PASSES, story } from "./story-folder.ts";

const FILE = ["--digests", "digests.json"] as const;
const UPDATED = [...FILE, "--update-digests"] as const;
const inMemory = ["--way", "memory"] as const;

test("digests are written by the names of the stories, and checked", async () => {
  const folder = folderWith({ "b.mjs": PASSES, "a.mjs": PASSES, "digests.json": '{"gone":"0"}' });
  expect(await centavoIn(folder, "run", ".", ...UPDATED, ...inMemory)).toMatchObject({ code: 0 });
  const written = JSON.parse(readFileSync(join(folder, "digests.json"), "utf8")) as Readonly<Record<string, string>>;
  expect(Object.keys(written)).toEqual(["a", "b", "gone"]);
  expect(await centavoIn(folder, "run", ".", ...FILE, ...inMemory)).toMatchObject({ code: 0 });
  writeFileSync(join(folder, "b.mjs"), story("await stage.client.paymentIntents.create({ amount: 100 });"));
  const { code, text } = await centavoIn(folder, "run", ".", ...FILE, ...inMemory);
  expect(text).toContain(`but the file has ${written["b"]}`);
  expect(code).toBe(1);
});

test("a story that the file does not know fails, whatever its name", async () => {
  const folder = folderWith({ "constructor.mjs": PASSES, "digests.json": "{}" });
  const { code, text } = await centavoIn(folder, "run", ".", ...FILE, ...inMemory);
  expect(text).toContain("the file has no digest of this story");
  expect(code).toBe(1);
});

test.for([FILE, UPDATED])("two stories of one name are refused with %s", async (options) => {
  const folder = folderWith({ "digests.json": "{}" });
  for (const name of ["cards", "wallets"]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "pays.mjs"), PASSES);
    writeFileSync(join(folder, name, "shared.mjs"), "export const amount = 100;");
  }
  const { code, text } = await centavoIn(folder, "run", ".", ...options, ...inMemory);
  expect(text).toBe(
    '--digests knows stories by their names, and two are named "pays": cards/pays.mjs and wallets/pays.mjs. Rename one of the files, or check each folder against a file of its own.',
  );
  expect(code).toBe(2);
  expect(readFileSync(join(folder, "digests.json"), "utf8")).toBe("{}");
  expect(await centavoIn(folder, "run", "cards", ...UPDATED, ...inMemory)).toMatchObject({ code: 0 });
  expect(await centavoIn(folder, "run", ".", ...inMemory)).toMatchObject({ code: 0 });
});

test.for([
  ["half a file", '{"a":', "The digests digests.json cannot be read: "],
  ["a list", "[]", "digests.json is not a file of digests."],
  ["numbers", '{"a":1}', "digests.json is not a file of digests."],
] as const)("%s is refused before any story runs", async ([, content, told]) => {
  const folder = folderWith({ "a.mjs": PASSES, "digests.json": content });
  for (const options of [FILE, UPDATED]) {
    const { code, text } = await centavoIn(folder, "run", ".", ...options, ...inMemory);
    expect(text).toMatch(new RegExp(`^${told}`));
    expect(code).toBe(2);
  }
});

test("a folder in place of the file is refused", async () => {
  const folder = folderWith({ "a.mjs": PASSES });
  mkdirSync(join(folder, "digests.json"));
  const { code, text } = await centavoIn(folder, "run", ".", ...FILE, ...inMemory);
  expect(text).toMatch(/^The digests digests\.json cannot be read: EISDIR/);
  expect(code).toBe(2);
});

test("digests that cannot be written are told, and the stories are summed up", async () => {
  const folder = folderWith({ "a.mjs": PASSES });
  const { code, text } = await centavoIn(
    folder,
    "run",
    ".",
    "--digests",
    "a.mjs/digests.json",
    "--update-digests",
    ...inMemory,
  );
  expect(text).toContain("The digests a.mjs/digests.json cannot be written: ");
  expect(text).toMatch(/1 of 1 story passed$/);
  expect(code).toBe(2);
});
