import { isThere, readTextFile, relativePath } from "../kit/base/runtime/files.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import type { SourcePlace, TestRecord } from "../testing/shake/test-record.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";

/** How many lines a statement of a test may have. */
const LONGEST_STATEMENT = 12;
/** The names that a declaration gives, such as `const attempts =` and `const [first] =`. */
const DECLARATION = /\b(?:const|let|var)\s+([^=]*)=/;

/**
 * Returns why a test that failed under a trouble counts on its absence, although its merchant bears it; undefined when it
 * does not. It completes the sentence "This test counts on it: …".
 */
export function whyItCountsOn({ trouble, planned }: PlacedTrouble, record: TestRecord): string | undefined {
  const { inShake } = trouble;
  const needs = inShake.is === "must not be noticed" ? inShake.needs : undefined;
  const moved = record.trouble?.movedAfter ?? 0;
  if (needs !== undefined && moved < durationMilliseconds(needs))
    return `it expects the usual end before its clock has moved by ${needs}`;
  const isHeld = planned.faults.some(({ kind }) => kind === "response.late" || kind === "request.latency");
  if (isHeld && record.trouble?.movedAfter === undefined) return "it expects something before it moves its clock";
  const place = bookReadBy(record);
  return place && `its assertion reads what only Centavo knows (${relativePath(place.file)}:${place.line})`;
}

/** Returns where the assertion that failed read Centavo's own books. */
function bookReadBy({ outcome, booksRead }: TestRecord): SourcePlace | undefined {
  for (const failed of outcome.stack ?? []) {
    const own = booksRead.filter(({ file }) => file === failed.file);
    const onLine = own.find(({ line }) => line === failed.line);
    if (onLine !== undefined) return onLine;
    const lines = linesOf(failed.file);
    const statement = statementAt(lines, failed.line);
    const found = own.find(({ line }) => {
      if (line > failed.line) return false;
      if (line >= statement.from) return true;
      const names = namesDeclaredBy(statementAt(lines, line).text);
      return names.some((name) => new RegExp(`\\b${name}\\b`).test(statement.text));
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the statement that ends at a line, or goes on there. */
function statementAt(lines: readonly string[], line: number): { readonly from: number; readonly text: string } {
  let from = line;
  while (from > 1 && line - from < LONGEST_STATEMENT && !/[;{}]\s*$|^\s*$/.test(lines[from - 2] ?? "")) from -= 1;
  return { from, text: lines.slice(from - 1, line).join("\n") };
}

function namesDeclaredBy(statement: string): readonly string[] {
  const [, declared = ""] = DECLARATION.exec(statement) ?? [];
  return declared.match(/[A-Za-z_$][\w$]*/g) ?? [];
}

function linesOf(file: string): readonly string[] {
  return isThere(file) ? (readTextFile(file)?.split("\n") ?? []) : [];
}
