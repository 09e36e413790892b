import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { removeFile, writeTextFile } from "../kit/base/runtime/files.ts";
import { forgetOldFiles, inIgnoredFolder, OWN_FOLDER } from "./own-folder.ts";
import { sha256Of } from "../kit/base/runtime/sha256.ts";
import { recordingAsText } from "../simulator/payment-recording.ts";
import type { Simulator } from "../simulator/simulator.ts";

const LONGEST_NAME = 60;
const HASH = 8;

/** The path of a file that was written, or why there is none. */
export type WrittenFile = { readonly path: string } | { readonly missing: string };

/** Names a test's files: its title, and the source of its seed, which distinguishes tests with the same title. */
export interface NamedTest {
  readonly title: string;
  readonly seedName: string;
  /** Which of the tests with this seed it is, from 1. */
  readonly ordinal?: number;
}

/**
 * Writes the recording of a failed test.
 * @param folder where to write it; `false` writes nothing
 */
export function writeRecordingOf(sim: Simulator, test: NamedTest, folder?: string | false): WrittenFile | undefined {
  if (folder === false) return undefined;
  try {
    return writeFileOf(test, "json", folder, recordingAsText(sim.recording()));
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

/**
 * Writes a file of a test.
 * @throws Node's error when the file cannot be written
 */
export function writeFileOf(
  test: NamedTest,
  extension: "json" | "html",
  folder: string | undefined,
  text: string,
): WrittenFile {
  const path = pathOfFile(test, extension, folder);
  const isWritten = inIgnoredFolder(path.slice(0, path.lastIndexOf("/")), () => writeTextFile(path, text));
  if (!isWritten) return { missing: "this process has no file system" };
  if (folder === undefined) forgetOldFiles();
  return { path };
}

/** Removes the files that a test left when it failed before. */
export function removeFilesOf(
  test: NamedTest,
  extensions: readonly ("json" | "html")[],
  folder: string | undefined,
): void {
  for (const extension of extensions) removeFile(pathOfFile(test, extension, folder));
}

/** Returns where a file of a test is written. */
export function pathOfFile(test: NamedTest, extension: "json" | "html", folder = OWN_FOLDER): string {
  return `${folder.replace(/(?<=.)[\\/]$/, "")}/${nameOf(test)}.${extension}`;
}

/** The last words of the title in safe characters, and a hash of everything that names the test: short, but unique. */
function nameOf({ title, seedName, ordinal = 1 }: NamedTest): string {
  const words = title
    .slice(-4 * LONGEST_NAME)
    .normalize("NFKD")
    .replaceAll(/[^\w]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase();
  const hash = sha256Of(`${title}\n${seedName}${ordinal === 1 ? "" : `\n${ordinal}`}`).slice(0, HASH);
  return words === "" ? hash : `${lastOf(words)}-${hash}`;
}

/** Returns as many of the last words as fit, each of them whole. */
function lastOf(words: string): string {
  if (words.length <= LONGEST_NAME) return words;
  const end = words.slice(-LONGEST_NAME);
  return end.slice(end.indexOf("-") + 1);
}
