import { join } from "node:path";
import { expect, test } from "vitest";
import { centavo, centavoIn } from "./commands.ts";
import { folderWith, PASSES, story } from "./story-folder.ts";

const inMemory = ["--way", "memory"];

/** What ends a process, by the name of the story that does it, and what is told of it. */
const ENDS: Readonly<Record<string, readonly [body: string, told: string]>> = {
  exit: ["process.exit(0)", "process.exit(0) was called"],
  later: ["setTimeout(() => process.exit(0)); await new Promise(() => {})", "process.exit(0) was called"],
  really: ["process.reallyExit(0)", "process.exit(0) was called"],
  killed: ['process.kill(process.pid, "SIGKILL")', "SIGKILL ended its process, perhaps because its memory ran out"],
  asked: ['process.kill(process.pid, "SIGTERM"); await new Promise(() => {})', "SIGTERM ended its process"],
  aborts: ["process.abort()", "SIGABRT ended its process"],
  throws: ['setTimeout(() => { throw new Error("late"); }); await new Promise(() => {})', "late"],
  rejects: ['void Promise.reject(new Error("left alone"))', "left alone"],
  disconnects: ["process.disconnect()", "process.disconnect is not a function"],
  closes: ['closeSync(1); closeSync(2); throw new Error("all closed")', "all closed"],
};

test("whatever ends the process fails the story under way by its name, and the others run", async () => {
  const names = Object.keys(ENDS).toSorted();
  const ending = Object.entries(ENDS).map(
    ([name, [body]]) => [`${name}.mjs`, story(body, 'import { closeSync } from "node:fs";')] as const,
  );
  const folder = folderWith({ "a-first.mjs": PASSES, ...Object.fromEntries(ending), "then.mjs": PASSES });
  const { code, text } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text).toMatch(new RegExp(`2 of ${names.length + 2} stories passed; failed: ${names.join(", ")}$`));
  for (const [name, [, told]] of Object.entries(ENDS)) {
    const [, ofStory = ""] = text.split(`\n${name}: `);
    expect(ofStory.split(/\n[a-z]+: /)[0], name).toContain(told);
  }
  expect(code).toBe(1);
});

/** Throws where nothing catches it, some turns of the event loop later. */
const throwsLater = `const throwsLater = (turns) => {
    if (turns === 0) throw new Error("thrown later");
    setImmediate(() => throwsLater(turns - 1));
  };`;

test("an error some turns after a file began to load is told, whatever is under way", async () => {
  const throwsAfter = (turns: number): string =>
    story("", `${throwsLater} queueMicrotask(() => setImmediate(() => throwsLater(${turns})));`);
  const early = Object.fromEntries([0, 1, 2].map((turns) => [`early-${turns}.mjs`, throwsAfter(turns)]));
  const { code, text } = await centavoIn(folderWith({ ...early, "then.mjs": PASSES }), "run", ".", ...inMemory);
  expect(text.match(/thrown later/g)?.length).toBeGreaterThanOrEqual(3);
  const [, summary = ""] = /1 of [1-4] stor(?:y|ies) passed; (.*)$/.exec(text) ?? [];
  for (const turns of [0, 1, 2]) expect(summary).toContain(`early-${turns}`);
  expect(code).toBe(1);
});

test.for([0, 1, 2, 3])("an error %i turns after a story fails it or the next one", async (turns) => {
  const script = (body: string): string => `{ title: "A story", options: {}, script: async () => { ${body} } }`;
  const leaves = `export const leaves = ${script(`setImmediate(() => throwsLater(${turns}))`)};`;
  const next = `export const next = ${script("")};`;
  const folder = folderWith({ "both.mjs": `${throwsLater} ${leaves} ${next}` });
  const { code, text } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text).toContain("thrown later");
  expect(text).toMatch(/1 of 2 stories passed; failed: both\/(leaves|next)$/);
  expect(code).toBe(1);
});

/** Acts while the process sends that the story has ended: messages are sent as JSON. */
function onceEnded(act: string): string {
  return `Object.defineProperty(Object.prototype, "toJSON", {
    value() { if (this.kind === "story-ended") { ${act} } return this; },
  });`;
}

test.for([
  ["an error in an immediate", 'setImmediate(() => { throw new Error("thrown late"); });'],
  ["an error in a cleanup's timer", 'stage.defer(() => void setImmediate(() => { throw new Error("thrown late"); }));'],
  ["an error between the script and its cleanups", 'process.nextTick(() => { throw new Error("thrown late"); });'],
  ["an error once its result is on its way", onceEnded('process.nextTick(() => { throw new Error("thrown late"); });')],
  ["a process.exit once its result is on its way", onceEnded("process.nextTick(() => process.exit(0));")],
] as const)("%s fails the last story", async ([, body]) => {
  const { code, text } = await centavoIn(folderWith({ "late.mjs": story(body) }), "run", ".", ...inMemory);
  expect(text).toMatch(/thrown late|process\.exit\(0\) was called/);
  expect(text).toMatch(/0 of 1 story passed; failed: late$/);
  expect(code).toBe(1);
});

test("an error of a file that holds no story is told", async () => {
  const folder = folderWith({
    "helper.mjs": "export const amount = 1; setImmediate(() => { throw new Error('helper') });",
  });
  const { code, text } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text).toMatch(/helper\.mjs could not be loaded:\n.*\n.*helper/);
  expect(code).toBe(1);
});

test("the stories of a file run on after one of them ended their process", async () => {
  const script = (body: string): string => `{ title: "A story", options: {}, script: async () => { ${body} } }`;
  const several = `export const first = ${script("")}; export const second = ${script("process.exit(0)")};
    export const third = ${script('throw new Error("no")')}; export const fourth = ${script("")};`;
  const { code, text } = await centavoIn(folderWith({ "several.mjs": several }), "run", ".", ...inMemory);
  expect(text).not.toContain("\n\n\n");
  expect(text).toMatch(/2 of 4 stories passed; failed: several\/second, several\/third$/);
  expect(code).toBe(1);
});

test("a file that ends the process while it is loaded is named, and the others run", async () => {
  const folder = folderWith({ "exits.mjs": "process.exit(0);", "then.mjs": PASSES });
  const { code, text } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text).toMatch(/exits\.mjs could not be loaded:\n.*process\.exit\(0\) was called/);
  expect(text).toMatch(/1 of 1 story passed; not loaded: exits\.mjs$/);
  expect(code).toBe(1);
});

test("a story that leaves an interval, a server and a process handler behind ends, and has passed", async () => {
  const body = `setInterval(() => {}, 1000); createServer().listen(0); process.on("exit", () => { throw new Error("no"); });`;
  const folder = folderWith({ "leaves.mjs": story(body, 'import { createServer } from "node:http";') });
  const { code, text } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text).toMatch(/1 of 1 story passed$/);
  expect(code).toBe(0);
});

test.for([
  ["a story", story("for (;;);")],
  ["a file", "for (;;);"],
] as const)("%s that blocks its process is ended", async ([, text]) => {
  const ran = await centavoIn(folderWith({ "loops.mjs": text }), "run", ".", "--timeout", "0.1", ...inMemory);
  expect(ran.text).toContain("it blocked its process for 5.1 s of real time");
  expect(ran.code).toBe(1);
});

test("a story that stalls is ended, although its file has other timers", async () => {
  const stalls = (before: string, options = "{}"): string =>
    `${before} export default { title: "A story", options: ${options}, script: () => new Promise(() => {}) };`;
  const folder = folderWith({
    "follows.mjs": stalls("", "{ timers: true }"),
    "mocked.mjs": stalls('import { mock } from "node:test"; mock.timers.enable();'),
    "replaced.mjs": stalls("globalThis.setInterval = globalThis.setTimeout = globalThis.setImmediate = () => {};"),
    "then.mjs": PASSES,
  });
  const { code, text } = await centavoIn(folder, "run", ".", "--timeout", "0.5", ...inMemory);
  expect(text.match(/The story has stalled: nothing has happened in it for 0\.5 s of real time\./g)).toHaveLength(3);
  expect(text).toMatch(/1 of 4 stories passed; failed: follows, mocked, replaced$/);
  expect(code).toBe(1);
});

test("a story whose options are refused fails by its name, and the others run", async () => {
  const refused = 'export default { title: "A story", options: { clok: "auto" }, script: () => {} };';
  const folder = folderWith({ "refused.mjs": refused, "then.mjs": PASSES });
  for (const options of [[], ["--record", "recordings", "--report", "report.html"]]) {
    const { code, text } = await centavoIn(folder, "run", ".", ...inMemory, ...options);
    expect(text).toContain("clok");
    expect(text).toMatch(/1 of 2 stories passed; failed: refused$/);
    expect(code).toBe(1);
  }
});

test("a file that never ends loading is named", async () => {
  const { code, text } = await centavoIn(
    folderWith({ "waits.mjs": "await new Promise(() => {});" }),
    "run",
    ".",
    "--timeout",
    "0.1",
  );
  expect(text).toContain("Loading the file did not end within 0.1 s of real time.");
  expect(code).toBe(1);
});

test("a story cannot say that it passed", async () => {
  const forged = `
    const printed = { stdout: 0, stderr: 0 };
    const message = { kind: "story-ended", name: "forges", printed, result: { seconds: 0 } };
    console.log(JSON.stringify({ message }));
    console.log("1 of 1 story passed");
    for (const send of [process.send, process._send]) send?.call(process, { message });
    for (const send of [process.send, process._send]) send?.call(process, { secret: undefined, message });
    process.on("message", (order) => process._send({ ...order, message }));
    await new Promise((resolve) => setImmediate(resolve));
    process.exit(0);`;
  const { code, text } = await centavoIn(folderWith({ "forges.mjs": story(forged) }), "run", ".", ...inMemory);
  expect(text).toMatch(/0 of 1 story passed; failed: forges$/);
  expect(code).toBe(1);
});

test("a story finds no process above it to talk to", async () => {
  const folder = folderWith({ "asks.mjs": story("stage.expect(process.send).toBeUndefined();") });
  expect(await centavoIn(folder, "run", ".", ...inMemory)).toMatchObject({ code: 0 });
});

test("what a story prints stands before its timeline, in the order of the files, each stream in its own", async () => {
  const says = (text: string): string => story(`console.log("${text} out"); console.error("${text} err");`);
  const names = ["a", "b", "c", "d"];
  const folder = folderWith(Object.fromEntries(names.map((name) => [`${name}.mjs`, says(name)])));
  const { text, errors } = await centavoIn(folder, "run", ".", ...inMemory);
  expect(text.match(/^[a-d](?: out| err|: )/gm)?.map((line) => line.trim())).toEqual(
    names.flatMap((name) => [`${name} out`, `${name}:`]),
  );
  expect(errors?.split("\n")).toEqual(names.map((name) => `${name} err`));
});

test("what a story printed before it ended its process is shown", async () => {
  const folder = folderWith({ "says.mjs": story('console.log("the last word"); process.exit(0);') });
  expect((await centavoIn(folder, "run", ".", ...inMemory)).text).toMatch(/^the last word\nsays: A story/);
});

test("no story at all is not a success", async () => {
  const folder = folderWith({ "shared.mjs": "export const amount = 1;", "a-function.mjs": "export default () => {};" });
  const { code, text } = await centavoIn(folder, "run", ".");
  expect(text).toContain("There is no story in .: a story is the default export of a file");
  expect(code).toBe(2);
  expect(await centavo("run", join(folder, "a-function.mjs"))).toMatchObject({ code: 2 });
});
