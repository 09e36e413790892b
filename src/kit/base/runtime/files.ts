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
 * Writes a text file as a whole: no reader ever sees half of it. Creates the folders above it.
 * @returns false when the process has no file system
 * @throws Node's error when the file cannot be written
 */
export function writeTextFile(path: string, text: string): boolean {
  const files = globalThis.process?.getBuiltinModule?.("node:fs");
  const paths = globalThis.process?.getBuiltinModule?.("node:path");
  if (files === undefined || paths === undefined) return false;
  files.mkdirSync(paths.dirname(path), { recursive: true });
  const unfinished = `${path}.${globalThis.process.pid}.unfinished`;
  try {
    files.writeFileSync(unfinished, text);
    files.renameSync(unfinished, path);
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

/** Removes a file, if it is there. */
export function removeFile(path: string): void {
  globalThis.process.getBuiltinModule("node:fs").rmSync(path, { force: true });
}

/** Names this thread among all of the machine: the process's id and the thread's. */
export function threadName(): string {
  const { threadId } = globalThis.process.getBuiltinModule("node:worker_threads");
  return `${globalThis.process.pid}-${threadId}`;
}
