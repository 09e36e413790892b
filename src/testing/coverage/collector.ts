import { COVERAGE_EXTENSION, headerLine, linesOf, readCoverageFile } from "../../report/coverage/file.ts";
import { Seen } from "../../report/coverage/seen.ts";
import type { WrittenEntries } from "../../kit/engine/written-entries.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import {
  absolutePath,
  appendToFile,
  isThere,
  readTextFile,
  removeFile,
  threadName,
} from "../../kit/base/runtime/files.ts";
import { version } from "../../kit/base/runtime/version.ts";
import { inIgnoredFolder } from "../own-folder.ts";
import { COVERAGE_FOLDER, FOLDER_VARIABLE, RUN_VARIABLE } from "./folder.ts";

/** Each thread has one collector, although a runner may load this module once for each test file. */
const COLLECTING = Symbol.for("centavo.coverage-collector");

/**
 * Writes whatever the simulators of this thread go through into a file, as soon as it is first seen. So nothing is lost if a simulator is
 * never closed or its process is killed.
 * @returns a function that stops it
 */
export function collect(): () => void {
  const shared = globalThis as { [COLLECTING]?: true };
  if (shared[COLLECTING] === true) return () => undefined;
  shared[COLLECTING] = true;
  const { env } = globalThis.process;
  // Absolute, because a test may change the working directory.
  const path = `${absolutePath(env[FOLDER_VARIABLE] ?? COVERAGE_FOLDER)}/${threadName()}${COVERAGE_EXTENSION}`;
  const run = env[RUN_VARIABLE];
  let seen = new Seen();
  const begin = (): void => {
    seen = new Seen();
    const header = headerLine({ centavo: version(), ...(run === undefined ? {} : { run }) });
    inIgnoredFolder(path.slice(0, path.lastIndexOf("/")), () => appendToFile(path, header));
  };
  // If the runner reloads modules for each test file, an earlier copy has already written the beginning.
  try {
    if (isThere(path)) for (const each of readCoverageFile(path, readTextFile(path) ?? "").seen) seen.add(each);
  } catch {
    // The file was left behind by another process with the same id.
    removeFile(path);
  }
  const end = listenToChannel("centavo:journal", (message) => {
    try {
      // The run may have deleted the file, such as when it is repeated in the same process.
      if (!isThere(path)) begin();
      const added = seen.addEntries(message as WrittenEntries);
      if (added.length > 0) appendToFile(path, linesOf(added));
    } catch (error) {
      stop();
      console.error(`Centavo no longer collects coverage, because ${path} cannot be written: ${messageOf(error)}`);
    }
  });
  const stop = (): void => {
    end();
    delete shared[COLLECTING];
  };
  return stop;
}
