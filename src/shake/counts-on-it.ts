import { readTextFile, relativePath } from "../kit/base/runtime/files.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import { SERVER_ERROR } from "../testing/shake/test-record.ts";
import type { PassedAttempt, PassedEvent, SourcePlace, TestRecord } from "../testing/shake/test-record.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";

/** How many lines a statement of a test may have. */
const LONGEST_STATEMENT = 12;
const BEGIN_OF_DECLARATION = /\b(?:const|let|var)\s/;
const NAME = /[A-Za-z_$][\w$]*/g;
/** Reads whether a request was answered as its sender wished, such as `answer.ok` and `response.ok()`. */
const ASKS_FOR_ANSWER = /\.ok\b/;

/**
 * Returns why a test that failed under a trouble counts on its absence, although its merchant bears it; undefined when it
 * does not. It completes the sentence "This test counts on it: …".
 */
export function whyItCountsOn(
  { planned, needs }: PlacedTrouble,
  plain: TestRecord,
  record: TestRecord,
): string | undefined {
  const moved = record.trouble?.movedAfter ?? 0;
  if (needs !== undefined && moved < durationMilliseconds(needs))
    return `it expects the usual end before its clock has moved by ${needs}`;
  const isHeld = planned.faults.some(({ kind }) => kind === "response.late" || kind === "request.latency");
  if (isHeld && record.trouble?.movedAfter === undefined) return "it expects something before it moves its clock";
  const strikesOfPlain = plain.ownStrikes.filter((at) => at <= record.to).length;
  if (record.ownStrikes.length > strikesOfPlain) return "a fault that it planned itself strikes something else then";
  if (isToldEarlier(plain, record)) return "it takes its merchant down, and an event comes before that then";
  const place = bookReadBy(record);
  return place && `its assertion reads what only Centavo knows (${relativePath(place.file)}:${place.line})`;
}

/** Whether an event gets through at its first attempt that the merchant of the test did not take then when nothing went wrong. */
function isToldEarlier(plain: TestRecord, record: TestRecord): boolean {
  const down = new Set(plain.events.filter(({ attempts }) => attempts[0] && !isTaken(attempts[0])).map(nameOf));
  return record.events.some((event) => down.has(nameOf(event)) && event.attempts[0] && isTaken(event.attempts[0]));
}

function nameOf({ type, occurrence }: PassedEvent): string {
  return JSON.stringify([type, occurrence]);
}

function isTaken({ status = SERVER_ERROR, struckBy }: PassedAttempt): boolean {
  return status < SERVER_ERROR || struckBy.length > 0;
}

/** Returns where the assertion that failed read Centavo's own books. */
function bookReadBy({ outcome, booksRead }: TestRecord): SourcePlace | undefined {
  for (const failed of outcome.stack ?? []) {
    const own = booksRead.filter(({ file }) => file === failed.file);
    const onLine = own.find(({ line }) => line === failed.line);
    if (onLine !== undefined) return onLine;
    const lines = linesOf(failed.file);
    const statement = statementAt(lines, failed.line);
    const used = new Set(statement.text.match(NAME));
    const found = own.find(({ line }) => {
      if (line > failed.line) return false;
      if (line >= statement.from) return true;
      const names = namesDeclaredBy(statementAt(lines, line).text);
      return names.some((name) => used.has(name));
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether the assertion that failed asks whether a visit was answered as its visitor wished, and fewer were than in the plain run. It says
 * nothing of the order then.
 */
export function asksWhetherItWasAnswered(plain: TestRecord, { outcome, refusedVisits }: TestRecord): boolean {
  const [failed] = outcome.stack ?? [];
  if (failed === undefined || refusedVisits <= plain.refusedVisits) return false;
  return ASKS_FOR_ANSWER.test(statementAt(linesOf(failed.file), failed.line).text);
}

/** Returns the statement that ends at a line, or goes on there. */
function statementAt(lines: readonly string[], line: number): { readonly from: number; readonly text: string } {
  let from = line;
  while (from > 1 && line - from < LONGEST_STATEMENT && !/[;{}]\s*$|^\s*$/.test(lines[from - 2] ?? "")) from -= 1;
  return { from, text: lines.slice(from - 1, line).join("\n") };
}

/** Returns the names that a declaration gives, such as those of `const attempts =` and `const [first] =`. */
function namesDeclaredBy(statement: string): readonly string[] {
  const begin = statement.search(BEGIN_OF_DECLARATION);
  const end = statement.indexOf("=", begin);
  if (begin === -1 || end === -1) return [];
  const [, ...names] = statement.slice(begin, end).match(NAME) ?? [];
  return names;
}

/** Returns the lines of a source file; none where a frame names something else, such as a folder. */
function linesOf(file: string): readonly string[] {
  try {
    return readTextFile(file)?.split("\n") ?? [];
  } catch {
    return [];
  }
}
