import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { centavo } from "./commands.ts";

test("a story that passes is printed as a timeline, and the exit code is 0", async () => {
  const { code, text } = await centavo("run", "stories/passes.ts");
  expect(code).toBe(0);
  expect(text).toContain("passes: A card pays at once");
  expect(text).toMatch(/» The customer pays\n {2}2026-01-01 00:00:00 {2}merchant/);
  expect(text).toMatch(/\n {21,}shop +looks how it went/);
  expect(text).toContain("1 of 1 stories passed");
});

test("a story that fails says what was expected, where, and what happened, and the exit code is 1", async () => {
  const { code, text } = await centavo("run", "stories/fails.ts");
  expect(code).toBe(1);
  expect(text).toContain("failed in stories/fails.ts");
  expect(text).toMatch(/\+ actual - expected/);
  expect(text).toContain("'failed'");
  expect(text).toMatch(/at .*stories\/fails\.ts:7/);
  expect(text).toContain("0 of 1 stories passed; failed: fails");
  expect(text).toContain("Run one alone with: centavo run stories/fails.ts");
});

test("a folder is searched for stories, and each is known by its file's name", async () => {
  const { code, text } = await centavo("run", "stories", "--quiet");
  expect(code).toBe(1);
  expect(text).toContain("1 of 2 stories passed; failed: fails");
  expect(text).not.toContain("passes: A card pays at once");
});

test("a story is chosen by its name or its title", async () => {
  expect(await centavo("run", "stories", "passes")).toMatchObject({ code: 0 });
  expect(await centavo("run", "stories", "a card pays at once")).toMatchObject({ code: 0 });
});

test("an unknown name lists the nearest, and the exit code is 2", async () => {
  const { code, text } = await centavo("run", "stories", "pases");
  expect({ code, text }).toEqual({ code: 2, text: 'There is no story "pases". The nearest are: passes, fails.' });
});

test("where there is no story, it says what one is", async () => {
  expect((await centavo("run")).text).toContain("There is no story in the folder scenarios");
  expect((await centavo("run", "stories/no-story.ts")).text).toContain("scenario(title, script) from centavo/scenario");
  expect((await centavo("run", "stories/missing.ts")).text).toContain("There is no file or folder stories/missing.ts");
});

test("the timeline carries no colour codes where nobody looks at it", async () => {
  expect(JSON.stringify((await centavo("run", "stories")).text)).not.toContain("\\u001b");
});

test("digests are written on request, kept to, and a difference says how to renew them", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "digests.json");
  expect((await centavo("run", "stories", "passes", "--digests", file)).text).toContain(
    "no digest of this story was kept",
  );
  expect(await centavo("run", "stories", "passes", "--digests", file, "--update-digests")).toMatchObject({ code: 0 });
  expect(await centavo("run", "stories", "passes", "--digests", file)).toMatchObject({ code: 0 });
  expect(await centavo("run", "stories", "passes", "--digests", file, "--seed", "other")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/renew it with --update-digests/) as string,
  });
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object)).toEqual(["passes"]);
  writeFileSync(file, "{}");
});

test.for(["memory", "intercept", "socket"])("a story runs through %s", async (way) => {
  expect(await centavo("run", "stories", "passes", "--way", way)).toMatchObject({ code: 0 });
});
