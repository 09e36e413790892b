/** Files of the process. They are read and written only where the test names one, or leaves a recording of its failure. */

/**
 * Reads a text file.
 * @returns undefined when the process has no file system, such as a browser
 * @throws Node's error when the file cannot be read
 */
export function readTextFile(path: string): string | undefined {
  return globalThis.process?.getBuiltinModule?.("node:fs")?.readFileSync(path, "utf8");
}

/**
 * Lists the files of a folder and of every folder below it, as paths relative to it with forward slashes, in alphabetical order.
 * @returns undefined when the process has no file system
 * @throws Node's error when the folder cannot be read
 */
export function filesBelow(folder: string): readonly string[] | undefined {
  return globalThis.process
    ?.getBuiltinModule?.("node:fs")
    ?.readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();
}

/**
 * Lists the files and folders directly in a folder, in alphabetical order.
 * @throws Node's error when the folder cannot be read
 */
export function namesIn(folder: string): readonly string[] {
  return globalThis.process.getBuiltinModule("node:fs").readdirSync(folder).toSorted();
}

/**
 * Lists the files and folders directly in a folder with their ages: how long ago they were written, in milliseconds of real time.
 * @throws Node's error when the folder cannot be read
 */
export function filesWithAge(folder: string): readonly { readonly name: string; readonly age: number }[] {
  const { statSync } = globalThis.process.getBuiltinModule("node:fs");
  // A test may fake Date.
  const now = performance.timeOrigin + performance.now();
  return namesIn(folder).flatMap((name) => {
    // Another process may have removed it.
    const found = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ name, age: now - found.mtimeMs }];
  });
}

/** Returns the absolute path of a file or folder, which may be a `file:` URL or relative to the working directory. */
export function absolutePath(path: string | URL): string {
  const url = path instanceof URL ? path : URL.parse(path);
  const isFileUrl = url?.protocol === "file:";
  return isFileUrl
    ? globalThis.process.getBuiltinModule("node:url").fileURLToPath(url)
    : globalThis.process.getBuiltinModule("node:path").resolve(String(path));
}

/**
 * Returns a path relative to a folder, with forward slashes.
 * @param folder the working directory by default
 */
export function relativePath(path: string, folder = globalThis.process.cwd()): string {
  const paths = globalThis.process.getBuiltinModule("node:path");
  return paths.relative(folder, absolutePath(path)).replaceAll("\\", "/");
}

/**
 * Finds the file of a package as a file in this folder would.
 * @returns undefined when it is not installed there
 */
export function resolveFrom(folder: string, name: string): string | undefined {
  try {
    return globalThis.process.getBuiltinModule("node:module").createRequire(`${folder}/`).resolve(name);
  } catch {
    return undefined;
  }
}

/** Whether there is a file or folder at a path. */
export function isThere(path: string): boolean {
  return globalThis.process?.getBuiltinModule?.("node:fs")?.existsSync(path) ?? false;
}

/**
 * Writes a text file as a whole: no reader ever sees half of it. Creates the folders above it. A device or a pipe, such as `/dev/stdout`, is
 * written to, and a link is followed.
 * @returns false when the process has no file system
 * @throws Node's error when the file cannot be written
 */
export function writeTextFile(path: string, text: string): boolean {
  const files = globalThis.process?.getBuiltinModule?.("node:fs");
  const paths = globalThis.process?.getBuiltinModule?.("node:path");
  if (files === undefined || paths === undefined) return false;
  if (isWrittenTo(path)) {
    writeInto(path, text);
    return true;
  }
  files.mkdirSync(paths.dirname(path), { recursive: true });
  const place = files.existsSync(path) ? files.realpathSync(path) : path;
  const unfinished = `${place}.${threadName()}.unfinished`;
  try {
    files.writeFileSync(unfinished, text);
    files.renameSync(unfinished, place);
  } catch (error) {
    files.rmSync(unfinished, { force: true });
    throw error;
  }
  return true;
}

/**
 * Adds lines to the end of a text file. Creates the file, and the folders above it.
 * @throws Node's error when the file cannot be written
 */
export function appendToFile(path: string, text: string): void {
  const files = globalThis.process.getBuiltinModule("node:fs");
  files.mkdirSync(globalThis.process.getBuiltinModule("node:path").dirname(path), { recursive: true });
  files.appendFileSync(path, text);
}

/** Removes a file, if it is there. A device or a pipe stays. */
export function removeFile(path: string): void {
  if (!isWrittenTo(path)) globalThis.process.getBuiltinModule("node:fs").rmSync(path, { force: true });
}

/** Names this thread among all of the machine: the process's id and the thread's. */
export function threadName(): string {
  const { threadId } = globalThis.process.getBuiltinModule("node:worker_threads");
  return `${globalThis.process.pid}-${threadId}`;
}

/** The open files of the process have these names, which may lead to a file that has a name of its own. */
const OPEN_FILE = /^\/(?:dev\/(?:stdout|stderr|fd\/(\d{1,9}))|proc\/self\/fd\/(\d{1,9}))$/;
const BETWEEN_TRIES = 5;

/** Whether a path names something that takes what is written, instead of a file that another can replace. */
function isWrittenTo(path: string): boolean {
  const found = globalThis.process.getBuiltinModule("node:fs").statSync(path, { throwIfNoEntry: false });
  return OPEN_FILE.test(path) || (found !== undefined && !found.isFile() && !found.isDirectory());
}

function writeInto(path: string, text: string): void {
  const files = globalThis.process.getBuiltinModule("node:fs");
  const [, ofDevice, ofProcess] = OPEN_FILE.exec(path) ?? [];
  const given = ofDevice ?? ofProcess;
  // An open file is written where its own offset is, after what was printed before.
  const standard = { "/dev/stdout": 1, "/dev/stderr": 2 }[path];
  const descriptor = standard ?? (given === undefined ? files.openSync(path, "w") : Number(given));
  try {
    let left = Buffer.from(text);
    while (left.length > 0) left = left.subarray(written(descriptor, left));
  } finally {
    if (standard === undefined && given === undefined) files.closeSync(descriptor);
  }
}

/** Returns how many bytes were written. A pipe that is full takes none until somebody reads. */
function written(descriptor: number, bytes: Uint8Array): number {
  try {
    return globalThis.process.getBuiltinModule("node:fs").writeSync(descriptor, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_TRIES);
    return 0;
  }
}
