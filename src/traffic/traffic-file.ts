import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { absolutePath, writeTextFile } from "../kit/base/runtime/files.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { realTime, startTimer } from "../kit/base/runtime/real-time.ts";

/** How long what was recorded may wait for being written, in milliseconds. */
const LONGEST_WAIT = 1000;
/** A large file is written less often: its writing takes at most a tenth of the time. */
const SHARE = 10;

const written = new Set<string>();

/** A file that is written anew, as a whole, while what it holds grows. */
export class TrafficFile {
  readonly #path: string;
  readonly #text: () => string;
  #cancel: (() => void) | undefined;
  #wait = LONGEST_WAIT;
  #isClosed = false;

  /**
   * @param text returns the whole text as it is now
   * @throws {CentavoError} `INVALID_OPTION` when it cannot be written, or another recording writes it
   */
  constructor(call: string, path: string, text: () => string) {
    this.#path = absolutePath(path);
    this.#text = text;
    if (written.has(this.#path))
      throw new CentavoError(
        "INVALID_OPTION",
        `${call}: another recording of this process writes ${inWords(path)}. Give each a file of its own.`,
      );
    try {
      this.write();
    } catch (error) {
      throw new CentavoError(
        "INVALID_OPTION",
        `${call}: the file ${inWords(path)} cannot be written: ${messageOf(error).replace(/\.$/, "")}.`,
        { cause: error },
      );
    }
    written.add(this.#path);
  }

  /** Something new is to be written. */
  grew(): void {
    if (this.#isClosed) return;
    this.#cancel ??= startTimer(this.#wait, () => this.#writeOrWarn(), false);
  }

  /** Writes what is there now. @throws Node's error when it cannot be written */
  write(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const begin = realTime();
    writeTextFile(this.#path, this.#text());
    this.#wait = Math.max(LONGEST_WAIT, (realTime() - begin) * SHARE);
  }

  /** Writes it for the last time. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    written.delete(this.#path);
    this.write();
  }

  #writeOrWarn(): void {
    try {
      this.write();
    } catch (error) {
      warnProcess(`The recording ${this.#path} cannot be written: ${messageOf(error)}`);
    }
  }
}
