import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveProcess } from "../../cli/served.ts";

const root = join(import.meta.dirname, "../../..");
const generators = join(root, "installs/generators");
/** Below what the generated client imports. */
const folder = join(generators, "openapi-typescript/generated-control");
const page = readFileSync(join(root, "docs/guide/any-language.md"), "utf8");
const DOCUMENT = "node_modules/centavo/docs/reference/control-openapi.json";
const run = promisify(execFile);

/** The block of the page in a language. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";
}

/** Runs a command of the page by the program of an installed package. */
async function runFromPage(command: RegExp, program: string): Promise<void> {
  const [, words = ""] = command.exec(page) ?? [];
  expect(words).toContain(DOCUMENT);
  await run(process.execPath, [join(generators, program), ...words.split(" ")], { cwd: folder });
}

beforeAll(() => {
  mkdirSync(join(folder, "node_modules/centavo/docs/reference"), { recursive: true });
  cpSync(join(root, "docs/reference/control-openapi.json"), join(folder, DOCUMENT));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a client that openapi-typescript generates moves the clock and reads a status", async () => {
  await runFromPage(/^npx openapi-typescript (.*)$/m, "openapi-typescript/node_modules/openapi-typescript/bin/cli.js");
  writeFileSync(join(folder, "renewal.ts"), block("ts"));
  const options = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--types", ""];
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  await run(process.execPath, [compiler, ...options, "--allowImportingTsExtensions", "--ignoreConfig", "renewal.ts"], {
    cwd: folder,
  });
  const { greeting } = await serveProcess();
  const { declinedRenewal } = (await import(join(folder, "renewal.ts"))) as {
    declinedRenewal: (url: string, token: string) => Promise<string>;
  };
  expect(await declinedRenewal(greeting.url, greeting.controlToken)).toBe("past_due");
});

test("a client of another language, from the document as OpenAPI 3.0, does the same", async () => {
  const program = "openapi-down-convert/node_modules/@apiture/openapi-down-convert/lib/src/cli.js";
  await runFromPage(/^npx @apiture\/openapi-down-convert (.*)$/m, program);
  writeFileSync(join(folder, "renewal.pl"), block("perl"));
  const { greeting } = await serveProcess();
  const { stdout } = await run("/usr/bin/perl", ["renewal.pl", greeting.url, greeting.controlToken], { cwd: folder });
  expect(stdout).toBe("past_due");
});
