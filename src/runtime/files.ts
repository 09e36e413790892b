/** Files of the process, read only where the test names one. */

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
