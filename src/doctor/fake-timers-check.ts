import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import type { Finding } from "./finding.ts";
import { right, wrong } from "./finding.ts";

const SOURCE = /\.[cm]?[jt]sx?$/;
const CONFIG = /^(?:jest|vitest|vite)\.config\.[cm]?[jt]s(?:on)?$|^package\.json$/;
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", "dist", "build", "coverage"]);
/** A whole line of a comment. */
const COMMENT = /^[ \t]*(?:\/\/|\*|\/\*).*$/gm;
/** Files whose code runs in tests. */
const OF_TESTS = /(?:[._-](?:test|spec|setup)|^setup|^(?:test|spec)s?)\b|(?:^|\/)(?:__tests__|tests?|spec)\//;
const MOST_FILES = 5000;
const MOST_FOLDERS = 20_000;
const MOST_NAMED = 5;
const LARGEST = 300_000;
/** In characters. */
const LONGEST_OPTIONS = 1000;
/** Node's own work of a request runs on these. */
const NEEDED = /nextTick|queueMicrotask/;

const CAUSE =
  "Jest's and sinon's fake timers replace nextTick and queueMicrotask by default. Node needs both to run requests, so that Centavo refuses every call meanwhile, and other calls never end.";
const WAY_OUT =
  'Leave them real: jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] }), sinon.useFakeTimers({ toNotFake: ["nextTick", "queueMicrotask"] }), or vi.useFakeTimers() without them in toFake.';

/**
 * Looks for fake timers that replace what requests need. It reads texts and executes nothing, so it knows only what is written plainly: in
 * configurations, and in files that name Centavo.
 */
export function checkFakeTimers(folder: string): readonly Finding[] {
  const files = sourcesIn(folder);
  const faking = files.filter((path) => {
    const text = textOf(path).replaceAll(COMMENT, "");
    return isConfiguration(path, folder) ? configures(text) : text.includes("centavo") && calls(text);
  });
  if (faking.length === 0)
    return [
      right(
        "fake-timers",
        `No fake timers replace what requests need, as far as the texts of tests and configurations tell.`,
      ),
    ];
  const names = faking.map((path) => relative(folder, path));
  const named = names.slice(0, MOST_NAMED).join(", ");
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return [wrong("fake-timers", `Fake timers replace nextTick or queueMicrotask in ${named}${more}.`, CAUSE, WAY_OUT)];
}

function isConfiguration(path: string, folder: string): boolean {
  return CONFIG.test(relative(folder, path));
}

function configures(text: string): boolean {
  return behind(text, /\bfakeTimers["']?\s*:\s*\{/g, "}").some(({ given }) => {
    if (/\bdoNotFake\b/.test(given)) return !leavesNeeded(given);
    return /\benableGlobally["']?\s*:\s*true/.test(given) || (/\btoFake\b/.test(given) && NEEDED.test(given));
  });
}

function calls(text: string): boolean {
  return behind(text, /\b(?:jest|sinon|vi|FakeTimers)\.(?:useFakeTimers|install)\(/g, ")").some(({ start, given }) => {
    if (/\b(?:doNotFake|toNotFake)\b/.test(given)) return !leavesNeeded(given);
    if (/\btoFake\b/.test(given)) return NEEDED.test(given);
    return !start.startsWith("vi.") && !/\blegacyFakeTimers\b/.test(given);
  });
}

function leavesNeeded(given: string): boolean {
  return given.includes("nextTick") && given.includes("queueMicrotask");
}

/** What is given behind each start, up to its end: an expression for that would take quadratic work on a long text. */
function behind(text: string, starts: RegExp, end: string): { readonly start: string; readonly given: string }[] {
  return Array.from(text.matchAll(starts), ({ 0: start, index }) => {
    const from = index + start.length;
    return { start, given: text.slice(from, from + LONGEST_OPTIONS).split(end, 1)[0] ?? "" };
  });
}

/** The tests and configurations of a project, without what others have written or built. */
function sourcesIn(folder: string): readonly string[] {
  const found: string[] = [];
  const folders = [folder];
  // The list grows while it is read.
  for (const next of folders) {
    if (found.length >= MOST_FILES) break;
    for (const entry of entriesOf(next)) {
      const path = join(next, entry.name);
      const isOwn = entry.isDirectory() && !LEFT_OUT.has(entry.name) && !entry.name.startsWith(".");
      if (isOwn && folders.length < MOST_FOLDERS) folders.push(path);
      const isOfTests = SOURCE.test(entry.name) && OF_TESTS.test(relative(folder, path).replaceAll("\\", "/"));
      const isWanted = isOfTests || isConfiguration(path, folder);
      if (entry.isFile() && isWanted && statSync(path).size <= LARGEST) found.push(path);
    }
  }
  return found;
}

/** Returns the text of a file; nothing of one that cannot be read, as when somebody removes it meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
