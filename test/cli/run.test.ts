import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { unreadableModule } from "../../src/cli/load-stories.ts";
import { centavo } from "./commands.ts";
import type { Ran } from "./commands.ts";

/** A folder with a file that forgot `scenario(…)`, and a story whose shop has the service's address built in. */
const moreStories = mkdtempSync(join(tmpdir(), "centavo-"));
writeFileSync(join(moreStories, "a-function.mjs"), "export default async () => {};");
writeFileSync(
  join(moreStories, "looks-in-the-network.mjs"),
  `const script = ({ note }) => {
    note("shop", "cannot pay: getaddrinfo ENOTFOUND api.pay.example");
    throw new Error("The order is not paid");
  };
  export default { title: "A shop with a mind of its own", options: {}, script };`,
);

test("a story that passes is printed as a timeline, and the exit code is 0", async () => {
  const { code, text } = await centavo("run", "stories/passes.ts");
  expect(code).toBe(0);
  expect(text).toContain("passes: A card pays at once");
  expect(text).toMatch(/» The customer pays\n {2}2026-01-01 00:00:00 {2}merchant/);
  expect(text).toMatch(/\n {21,}shop +looks how it went/);
  expect(text).toContain("1 of 1 story passed");
});

test("a story that fails says what was expected, where, and what happened, and the exit code is 1", async () => {
  const { code, text } = await centavo("run", "stories/fails.ts");
  expect(code).toBe(1);
  expect(text).toContain("failed in stories/fails.ts");
  expect(text).toMatch(/\+ actual - expected/);
  expect(text).toContain("'failed'");
  expect(text).toMatch(/at .*stories\/fails\.ts:7/);
  expect(text).toContain("0 of 1 story passed; failed: fails");
  expect(text).toContain("Replay it with: npx centavo run stories/fails.ts");
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

test("a file or a name narrows the folders before it", async () => {
  const one = /1 of 1 story passed/;
  expect((await centavo("run", "stories", "stories/passes.ts")).text).toMatch(one);
  expect((await centavo("run", moreStories, "stories/passes.ts")).text).toMatch(one);
  expect((await centavo("run", "stories/passes.ts", "passes")).text).toMatch(one);
  expect((await centavo("run", "stories", "passes", "stories/fails.ts")).text).toContain("1 of 2 stories passed");
});

test("names that contain the requested name are the nearest", async () => {
  expect((await centavo("run", moreStories, "network")).text).toBe(
    'There is no story "network". The nearest is: looks-in-the-network.',
  );
});

test("a file that looks like a story but is not is named when its folder is run, and refused when it is run itself", async () => {
  const { text } = await centavo("run", moreStories, "--way", "memory");
  expect(text).toContain("a-function.mjs: it exports no story.");
  expect((await centavo("run", "stories")).text).not.toContain("Skipped");
  expect(await centavo("run", "stories/passes.ts", join(moreStories, "a-function.mjs"))).toMatchObject({
    code: 2,
    text: expect.stringMatching(/There is no story in .*a-function\.mjs/) as string,
  });
});

test("a file that cannot be loaded is named, the other stories run, and the exit code is 1", async () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  writeFileSync(join(folder, "misspelt.mjs"), "throw new TypeError('The shop is misspelt');");
  writeFileSync(join(folder, "passes.mjs"), 'export default { title: "Passes", options: {}, script: () => {} };');
  const { code, text } = await centavo("run", folder, "--way", "memory");
  expect(text).toMatch(/misspelt\.mjs could not be loaded:\n {2}TypeError: The shop is misspelt/);
  expect(text).toMatch(/1 of 1 story passed; not loaded: .*misspelt\.mjs/);
  expect(code).toBe(1);
  expect(await centavo("run", join(folder, "misspelt.mjs"))).toMatchObject({
    code: 1,
    text: expect.stringMatching(/0 of 0 stories passed; not loaded: .*misspelt\.mjs/) as string,
  });
});

test("a name of a file that cannot be loaded says why", async () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  writeFileSync(join(folder, "misspelt.mjs"), "throw new TypeError('The shop is misspelt');");
  writeFileSync(join(folder, "passes.mjs"), 'export default { title: "Passes", options: {}, script: () => {} };');
  expect(await centavo("run", folder, "misspelt", "--way", "memory")).toMatchObject({
    code: 1,
    text: expect.stringMatching(/misspelt\.mjs could not be loaded:\n {2}TypeError: The shop is misspelt/) as string,
  });
  expect(await centavo("run", folder, "a title", "--way", "memory")).toMatchObject({
    code: 2,
    text: expect.stringMatching(
      /^There is no story "a title"\. .* These files could not be loaded: .*misspelt\.mjs\.$/,
    ) as string,
  });
});

test("the command that replays one of several stories of a file plays that story", async () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  const of = (script: string): string => `{ title: "A story", options: {}, script: () => { ${script} } }`;
  writeFileSync(
    join(folder, "several.mjs"),
    `export const first = ${of("")}; export const second = ${of('throw new Error("no")')};`,
  );
  const failed = await centavo("run", folder, "--way", "memory");
  const [, command = ""] = /Replay it with: npx centavo (.*)/.exec(failed.text) ?? [];
  const again = await centavo(...command.split(" "));
  expect(again.text).toMatch(/0 of 1 story passed; failed: several\/second$/);
});

test("an unknown name is reported when there are no stories at all, and the exit code is 2", async () => {
  expect(await centavo("run", "storys")).toEqual({
    code: 2,
    text: 'There is no file, folder or story "storys"; stories are looked up in the folder scenarios, which has none. The nearest name here is stories.',
  });
});

test("a Node that cannot read TypeScript is told from other failures", () => {
  const unknown = (file: string): Error =>
    Object.assign(new TypeError(`Unknown file extension ".${file.split(".")[1]}" for /shop/${file}`), {
      code: "ERR_UNKNOWN_FILE_EXTENSION",
    });
  expect(unreadableModule(unknown("story.ts"), "v20.20.2")?.message).toBe(
    "Centavo needs Node 22.18 or newer to read TypeScript; this is v20.20.2.",
  );
  expect(unreadableModule(unknown("story.css"))).toBeUndefined();
  expect(unreadableModule(new Error("story.ts"))).toBeUndefined();
});

test("an unknown name lists the nearest, and the exit code is 2", async () => {
  const { code, text } = await centavo("run", "stories", "pases");
  expect({ code, text }).toEqual({ code: 2, text: 'There is no story "pases". The nearest is: passes.' });
});

test("without any story, it explains what a story is", async () => {
  expect((await centavo("run")).text).toContain("There is no story in the folder scenarios");
  expect((await centavo("run", "stories/no-story.ts")).text).toContain("scenario(title, script) from centavo/scenario");
  expect((await centavo("run", "stories/missing.ts")).text).toContain("There is no file or folder stories/missing.ts");
});

test("the timeline has no colour codes unless it goes to a terminal", async () => {
  expect(JSON.stringify((await centavo("run", "stories")).text)).not.toContain("\\u001b");
});

test("digests are written on request and kept to, and a difference says how to renew them", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "digests.json");
  const run = (...more: string[]): Promise<Ran> => centavo("run", "stories", "passes", "--digests", file, ...more);
  const { text: unkept } = await run();
  expect(unkept).toContain("the file has no digest of this story. Add it with --update-digests.");
  expect(unkept).not.toContain("renew");
  expect(await run("--update-digests")).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
  expect(Object.keys(JSON.parse(readFileSync(file, "utf8")) as object)).toEqual(["passes"]);
  writeFileSync(file, '{ "passes": "another" }');
  expect(await run()).toMatchObject({
    code: 1,
    text: expect.stringMatching(
      /update the file with --update-digests[^]*npx centavo run stories.passes.ts --digests/,
    ) as string,
  });
});

test("another seed has other digests: they are not checked, and it says so", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "digests.json");
  writeFileSync(file, '{ "passes": "another" }');
  const { code, text } = await centavo("run", "stories/passes.ts", "--digests", file, "--seed", "other");
  expect(code).toBe(0);
  expect(text).toContain("The digests are not checked, because they belong to the stories' own seeds");
});

test.for([
  [["--update-digests"], "name it with --digests <file>"],
  [["--update-digests", "--digests", "kept.json", "--seed", "other"], "--seed and --update-digests exclude each other"],
  [
    ["--update-digests", "--digests", "kept.json", "--assumptions", "shared.json"],
    "--assumptions and --update-digests exclude each other",
  ],
] as const)("%j is refused", async ([options, reason]) => {
  const { code, text } = await centavo("run", "stories/passes.ts", ...options);
  expect(code).toBe(2);
  expect(text).toContain(reason);
  expect(existsSync(join(import.meta.dirname, "kept.json"))).toBe(false);
});

test("the command after a failure runs the story in the same way again", async () => {
  const { text } = await centavo("run", "stories/fails.ts", "--way", "memory", "--seed", "two words");
  expect(text).toContain("npx centavo run stories/fails.ts --way memory --seed 'two words'");
});

test("a shop that calls the real network is told how to reach the simulator, in each way", async () => {
  const { text } = await centavo("run", join(moreStories, "looks-in-the-network.mjs"), "--way", "socket");
  expect(text).toMatch(
    /The order is not paid[^]*Likely cause: a request to api\.pay\.example went to the real network: only a client that is given stage\.merchant \(baseUrl and authUrl\) reaches the simulator here/,
  );
  expect((await centavo("run", join(moreStories, "looks-in-the-network.mjs"))).text).toContain(
    "went to the real network: the request was made before intercept(sim)",
  );
});

test("a story that fails is told the likely cause below its error", async () => {
  expect((await centavo("run", "stories/fails.ts")).text).toMatch(
    /AssertionError[^]*\n\n {2}Likely cause: the payment pi_\w+ failed because pm_card_stolen is always declined/,
  );
});

test.for(["memory", "intercept", "socket"])("a story runs through %s", async (way) => {
  expect(await centavo("run", "stories", "passes", "--way", way)).toMatchObject({ code: 0 });
});

test("the command after a failure names the story if its file has several", async () => {
  const several = join(moreStories, "several.mjs");
  writeFileSync(
    several,
    `const script = () => { throw new Error("no"); };
    export const first = { title: "The first", options: {}, script };
    export const second = { title: "The second", options: {}, script: () => undefined };`,
  );
  const { text } = await centavo("run", several, "--way", "memory");
  expect(text).toMatch(/Replay it with: npx centavo run \S*several\.mjs several\/first --way memory/);
});

test("a file of assumptions applies to every story, but for what a story sets itself", async () => {
  const file = "stories/assumptions/shared.json";
  const failed = await centavo("run", "stories/passes.ts", "--assumptions", file, "--digests", "nowhere.json");
  expect(failed.code).toBe(1);
  expect(failed.text).toContain("+ 'processing'");
  expect(failed.text).toContain(
    "The digests are not checked, because they belong to the stories without --assumptions.",
  );
  expect(failed.text).toContain(`npx centavo run stories/passes.ts --assumptions ${file}`);

  writeFileSync(
    join(moreStories, "sets-its-own.mjs"),
    `const script = ({ sim, expect }) => {
      const values = ["intent.processing-time", "checkout.lifetime"].map((id) => sim.recording().options.assumptions[id]);
      expect(values).toEqual(["5 seconds", "30 minutes"]);
    };
    export default { title: "Its own", options: { assumptions: { "intent.processing-time": "5 seconds" } }, script };`,
  );
  expect(await centavo("run", join(moreStories, "sets-its-own.mjs"), "--assumptions", file)).toMatchObject({ code: 0 });
});

test("a file of assumptions that is wrong runs nothing, and is named", async () => {
  const { code, text } = await centavo("run", "stories/passes.ts", "--assumptions", "stories/assumptions/fixed.json");
  expect(code).toBe(2);
  expect(text).toMatch(
    /--assumptions: the file of assumptions ".*fixed\.json": the assumption "time\.format" is fixed/,
  );
});
