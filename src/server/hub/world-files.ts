import { closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { namesIn } from "../../kit/base/runtime/files.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { WORLD_FILE } from "../../inspected/records.ts";
import type { Opened, WorldRecord } from "../../inspected/records.ts";
import { isAlive } from "../../inspected/run-folder.ts";
import type { FollowedTest } from "./followed-test.ts";

/** How much of a file is read at once, in bytes, before the others have their turn. */
const CHUNK = 1_048_576;
/** How long a line may be, in bytes: many times a world with thousands of payments. */
const LONGEST_LINE = 268_435_456;

/** What becomes of the tests of a run. */
export interface TestsListener {
  /** Begins to follow a test. */
  opened(test: Opened): Promise<FollowedTest>;
  ended(test: FollowedTest): Promise<void>;
}

/** Follows the files that the tests of a run write. */
export class WorldFiles {
  readonly #folder: string;
  readonly #listener: TestsListener;
  readonly #longestLine: number;
  readonly #files = new Map<string, WorldFile>();
  /** The files that are read to their end but could not be removed. */
  readonly #finished = new Set<string>();

  constructor(folder: string, listener: TestsListener, longestLine = LONGEST_LINE) {
    this.#folder = folder;
    this.#listener = listener;
    this.#longestLine = longestLine;
  }

  /** Goes through everything that was written since. */
  async read(): Promise<void> {
    this.#findNew();
    for (let isMore = true; isMore;) {
      isMore = false;
      for (const [name, file] of this.#files) {
        if (await file.read()) isMore = true;
        if (file.hasEnded) this.#finish(name);
      }
    }
  }

  #findNew(): void {
    const born = newFilesIn(this.#folder, (name) => !this.#files.has(name) && !this.#finished.has(name));
    for (const name of born)
      this.#files.set(name, new WorldFile(`${this.#folder}/${name}`, this.#listener, this.#longestLine));
  }

  #finish(name: string): void {
    this.#files.delete(name);
    try {
      rmSync(`${this.#folder}/${name}`);
    } catch {
      // Its folder may be gone, too.
      this.#finished.add(name);
    }
  }
}

/** Returns the names of the files of worlds that are not known yet, oldest first. */
function newFilesIn(folder: string, isNew: (name: string) => boolean): readonly string[] {
  try {
    return namesIn(folder)
      .filter((name) => name.endsWith(WORLD_FILE) && isNew(name))
      .map((name) => ({ name, born: statSync(`${folder}/${name}`).birthtimeMs }))
      .toSorted((one, other) => one.born - other.born)
      .map(({ name }) => name);
  } catch {
    // Whoever has removed the folder wants to see no more.
    return [];
  }
}

/** The file of one world. */
class WorldFile {
  readonly #path: string;
  readonly #listener: TestsListener;
  readonly #longestLine: number;
  #test: FollowedTest | undefined;
  #offset = 0;
  /** A line whose end is not written yet. */
  #begun: Buffer[] = [];
  hasEnded = false;

  constructor(path: string, listener: TestsListener, longestLine: number) {
    this.#path = path;
    this.#listener = listener;
    this.#longestLine = longestLine;
  }

  /** Goes through the next part. Returns false when there is none yet. */
  async read(): Promise<boolean> {
    // Asked first: a process may write and end in between.
    const isWritten = this.#test === undefined || isAlive(this.#test.opened.pid);
    const part = this.#nextPart();
    if (part.length === 0) {
      if (!isWritten) await this.#end();
      return false;
    }
    try {
      for (const line of this.#linesIn(part)) {
        await this.#take(JSON.parse(line) as WorldRecord);
        if (this.hasEnded) return false;
      }
    } catch (error) {
      await this.#giveUp(`its file is damaged (${messageOf(error)})`);
      return false;
    }
    return true;
  }

  async #take(record: WorldRecord): Promise<void> {
    if (this.#test !== undefined) {
      await this.#test.take(record);
      if (record.kind === "ended") await this.#end();
      return;
    }
    if (record.kind !== "opened") throw new TypeError("it does not begin with a world");
    this.#test = await this.#listener.opened(record);
  }

  async #giveUp(why: string): Promise<void> {
    if (this.#test !== undefined) this.#test.problem ??= why;
    await this.#end();
  }

  async #end(): Promise<void> {
    this.hasEnded = true;
    if (this.#test === undefined) return;
    // A process that was killed leaves a delivery without its answer.
    await this.#test.take({ kind: "ended" });
    await this.#listener.ended(this.#test);
  }

  #nextPart(): Buffer {
    try {
      const left = statSync(this.#path).size - this.#offset;
      if (left <= 0) return Buffer.alloc(0);
      const part = Buffer.alloc(Math.min(left, CHUNK));
      const descriptor = openSync(this.#path, "r");
      try {
        const length = readSync(descriptor, part, 0, part.length, this.#offset);
        this.#offset += length;
        return part.subarray(0, length);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      // It was removed. Its world ends with its process.
      return Buffer.alloc(0);
    }
  }

  *#linesIn(part: Buffer): Generator<string> {
    let from = 0;
    for (let to = part.indexOf("\n"); to !== -1; to = part.indexOf("\n", from)) {
      yield Buffer.concat([...this.#begun, part.subarray(from, to)]).toString("utf8");
      this.#begun = [];
      from = to + 1;
    }
    if (from < part.length) this.#begun.push(part.subarray(from));
    const length = this.#begun.reduce((sum, piece) => sum + piece.length, 0);
    if (length > this.#longestLine) throw new RangeError(`a line has more than ${this.#longestLine} bytes`);
  }
}
