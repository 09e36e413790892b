import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./story-folder.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs the stories of a folder in a process of its own. */
function run(folder: string, ...options: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [main, "run", ".", "--way", "memory", ...options], { cwd: folder });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (text += data.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** A file of three stories, of which the second is interrupted. */
function folderOf(body: string): string {
  const of = (script: string): string =>
    `{ title: "A story", options: {}, script: async ({ defer }) => { ${script} } }`;
  return folderWith({
    "all.mjs": `const interrupt = (signal) => process.kill(process.ppid, signal); const forEver = new Promise(() => {});
      export const first = ${of("")}; export const second = ${of(body)}; export const third = ${of("")};`,
  });
}

test.for([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends the story under way, whose cleanups run, and sums up what ran", async ([signal, code]) => {
  const folder = folderOf(`defer(() => console.log("cleaned up")); interrupt("${signal}"); await forEver;`);
  const ended = await run(folder, "--junit", "junit.xml");
  expect(ended.text).toContain("cleaned up\nall/second: A story");
  expect(ended.text).toContain("interrupted in all.mjs");
  expect(ended.text).toMatch(/1 of 2 stories passed; interrupted: all\/second; not played: all\/third\n$/);
  expect(ended.code).toBe(code);
  expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain('errors="1"');
});

test("an interrupted run says so in JSON", async () => {
  const { code, text } = await run(folderOf('interrupt("SIGINT"); await forEver;'), "--json");
  expect(JSON.parse(text)).toMatchObject({
    passed: false,
    exitCode: 130,
    stories: [{ outcome: "passed" }, { outcome: "interrupted" }],
    notPlayed: ["all/third"],
  });
  expect(code).toBe(130);
});

test.for([
  [
    "a cleanup that never ends, at the second signal",
    'defer(() => { interrupt("SIGINT"); return forEver; }); interrupt("SIGINT"); await forEver;',
  ],
  ["a story that blocks its process", 'interrupt("SIGINT"); for (;;);'],
])("%s leaves no process behind", async ([, body]) => {
  const { code, text } = await run(folderOf(`console.log("process " + process.pid); ${body}`));
  expect(text).toContain("interrupted: all/second");
  expect(code).toBe(130);
  const id = Number(/process (\d+)/.exec(text)?.[1]);
  expect(() => process.kill(id, 0)).toThrow("ESRCH");
});
