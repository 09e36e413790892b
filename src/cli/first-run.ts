import { stripVTControlCharacters } from "node:util";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { DOCS } from "../kit/base/errors/docs.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { counted } from "../shake/in-words.ts";
import type { EndedRun } from "./suite-runs.ts";

/** How much of what a suite prints is shown when it cannot be shaken, in lines. */
const MOST_LINES = 20;

/** The words with which runners are told to wait for changes of files. */
const WATCHES = /^--watch(?:All|-path)?(?:=(?!false$).*)?$/;

/** @throws {CentavoError} `INVALID_OPTION` when the command of a suite never ends by itself */
export function refuseWatching(command: readonly string[]): void {
  const word =
    command.find((each) => WATCHES.test(each)) ??
    command.find(
      (each, index) => /^(?:watch|dev)$/.test(each) && /(?:^|[\\/])vitest(?:\.\w+)?$/.test(command[index - 1] ?? ""),
    );
  if (word !== undefined)
    throw refused(`${inWords(word)} makes the suite wait for changes of its files, so a run never ends. Leave it out.`);
}

/** @throws {CentavoError} `INVALID_OPTION` on Windows */
export function refuseWindows(): void {
  if (process.platform === "win32")
    throw refused("it does not run on Windows, which knows no groups of processes that end as a whole. Run it in WSL.");
}

/** @param seconds the option of the command */
export function firstRunCut(seconds = 0): CentavoError {
  return refused(
    `the first run of the suite, in which nothing goes wrong, did not end within ${counted(seconds, "second")}. Give more --seconds, or name fewer tests.`,
  );
}

/**
 * @param command the command of the suite
 * @throws {CentavoError} `INVALID_OPTION` when the first run shows nothing that can be shaken
 */
export function checkFirstRun({ records, signal, endedFor, output }: EndedRun, command: readonly string[]): void {
  const last = stripVTControlCharacters(output).trimEnd().split("\n").slice(-MOST_LINES).join("\n");
  const said = last === "" ? "" : `\nThe suite printed:\n${last}`;
  if (endedFor === "watching")
    throw refused(
      `the suite waits for changes of its files, so a run never ends. Let it run once, as vitest run and jest do.${said}`,
    );
  if (endedFor !== undefined)
    throw refused(
      `the first run of the suite printed nothing for ten minutes, and no test ended, so it was ended.${said}`,
    );
  if (signal !== undefined)
    throw refused(`the first run of the suite was ended by ${signal}, before all of its tests were known.${said}`);
  if (records.length === 0)
    throw refused(
      `no test of this run got its simulator from withSimulator, simulated or centavo/playwright, or created it after import "centavo/shake" in a set-up file. ${wayToTakePart(command)}${said}`,
    );
  if (records.some(({ outcome }) => outcome.is === "passed")) return;
  const reasons = [...new Set(records.map(({ outcome }) => outcome.why ?? "it fails when nothing goes wrong"))];
  throw refused(
    reasons.length === 1 && records.every(({ outcome }) => outcome.why === undefined)
      ? `every test fails already when nothing goes wrong. Make them pass first.${said}`
      : `no test can be shaken:\n${reasons.map((why) => `- ${why}`).join("\n")}${said}`,
  );
}

/** The setting of each runner that imports `centavo/shake` into every process of its tests, with the words by which a command names it. */
const settings: readonly (readonly [runner: string, words: RegExp, setting: string])[] = [
  ["vitest", /(?:^|[\\/\s])vitest(?:\.\w+)?(?=\s|$)/, 'setupFiles: ["centavo/shake"] in its configuration'],
  ["Jest", /(?:^|[\\/\s])jest(?:\.\w+)?(?=\s|$)/, '"setupFilesAfterEnv": ["centavo/shake"] in its configuration'],
  ["Mocha", /(?:^|[\\/\s])_?mocha(?:\.\w+)?(?=\s|$)/, "--require centavo/shake"],
  ["node:test", /(?:^|\s)--test(?=\s|$)/, "--import centavo/shake"],
];

/** Says how tests that create their own simulators take part. */
function wayToTakePart(command: readonly string[]): string {
  const line = command.join(" ");
  const [runner, , setting] = settings.find(([, words]) => words.test(line)) ?? [];
  const page = `${DOCS}/guide/shake.md#tests-that-create-their-simulators`;
  if (runner === undefined) return `How tests that call createSimulator take part: ${page}`;
  return `Tests that call createSimulator take part if ${runner} is given ${setting}: ${page}`;
}

function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo shake: ${what}`);
}
