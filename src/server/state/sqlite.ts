import { CentavoError } from "../../kit/base/errors/centavo-error.ts";

type EmitWarning = (warning: string | Error, ...rest: readonly unknown[]) => void;

/**
 * Loads Node's own SQLite, without the warning that some versions of Node print with it.
 * @throws {CentavoError} `INVALID_OPTION` when this runtime has none
 */
export function loadSqlite(): typeof import("node:sqlite") {
  const ofProcess = process as { emitWarning: EmitWarning };
  const { emitWarning }: { emitWarning: (this: unknown, ...given: Parameters<EmitWarning>) => void } = ofProcess;
  ofProcess.emitWarning = (warning, ...rest) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) emitWarning.call(process, warning, ...rest);
  };
  try {
    const sqlite: typeof import("node:sqlite") | undefined = process.getBuiltinModule("node:sqlite");
    if (sqlite !== undefined) return sqlite;
  } finally {
    ofProcess.emitWarning = emitWarning;
  }
  throw new CentavoError(
    "INVALID_OPTION",
    `The option state needs node:sqlite, which ${process.release.name} ${process.version} does not have here. Use Node 22.18 or newer without --no-experimental-sqlite, or leave the option out.`,
  );
}
