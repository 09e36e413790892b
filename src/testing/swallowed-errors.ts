import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";

/** The error for a test that passed, but should have failed because of these entries. */
export function swallowedIn(entries: readonly StoredEntry[]): CentavoError | undefined {
  const swallowed = entries.flatMap((entry) => {
    if (entry.kind === "failure") return [entry.details.message];
    if (entry.kind !== "refused") return [];
    const { method = "", url = "", reason = "" } = entry.volatile ?? {};
    return [`${method} ${url} was refused: ${reason}`];
  });
  if (swallowed.length === 0) return undefined;
  const isRefused = entries.some(({ kind }) => kind === "refused");
  const wayOut = isRefused
    ? "name the host in drop, or set failOnSwallowedErrors: false"
    : "set failOnSwallowedErrors: false";
  return new CentavoError(
    "SWALLOWED_ERRORS",
    `The test passed, but the code under test swallowed ${swallowed.length === 1 ? "an error" : `${swallowed.length} errors`}. ` +
      `If that is intended, ${wayOut}.\n${swallowed.map((line) => `- ${line}`).join("\n")}`,
  );
}
