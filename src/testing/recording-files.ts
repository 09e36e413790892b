import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { messageOf } from "../errors/thrown-values.ts";
import { isThere, writeTextFile } from "../runtime/files.ts";
import { recordingAsText } from "../simulator/payment-recording.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** The folder of recordings of failed tests, below that of the process. */
const FOLDER = ".centavo";
const LONGEST_NAME = 60;
const HASH = 8;

/** A recording that was written, or why there is none. */
export type WrittenRecording = { readonly path: string } | { readonly missing: string };

/**
 * Writes the recording of a failed test. A folder that it creates ignores itself in git; one that was there is the user's own.
 * @param test its title names the file; what makes its seed tells it from other tests of the same title
 * @param folder where to write it; `false` writes nothing
 */
export function writeRecordingOf(
  sim: Simulator,
  test: { readonly title: string; readonly seedName: string },
  folder: string | false = FOLDER,
): WrittenRecording | undefined {
  if (folder === false) return undefined;
  try {
    const place = folder.replace(/(?<=.)[\\/]$/, "");
    const path = `${place}/${fileNameOf(test)}`;
    const text = recordingAsText(sim.recording());
    const isNew = !isThere(place);
    if (!writeTextFile(path, text)) return { missing: "this process has no file system" };
    if (isNew) writeTextFile(`${place}/.gitignore`, "*\n");
    return { path };
  } catch (error) {
    return { missing: messageOf(error) };
  }
}

/** The last words of the title in safe characters, and a hash of all that names the test: short, and different for each test. */
function fileNameOf({ title, seedName }: { readonly title: string; readonly seedName: string }): string {
  const words = title
    .slice(-4 * LONGEST_NAME)
    .normalize("NFKD")
    .replaceAll(/[^\w]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .toLowerCase();
  const hash = bytesToHex(sha256(utf8ToBytes(`${title}\n${seedName}`))).slice(0, HASH);
  return words === "" ? `${hash}.json` : `${lastOf(words)}-${hash}.json`;
}

/** The last words that fit, each of them whole. */
function lastOf(words: string): string {
  if (words.length <= LONGEST_NAME) return words;
  const end = words.slice(-LONGEST_NAME);
  return end.slice(end.indexOf("-") + 1);
}
