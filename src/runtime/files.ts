/** Files of the process, read only where the test names one. */

/**
 * Reads a text file.
 * @returns undefined when the process has no file system, such as a browser
 * @throws Node's error when the file cannot be read
 */
export function readTextFile(path: string): string | undefined {
  return globalThis.process?.getBuiltinModule?.("node:fs")?.readFileSync(path, "utf8");
}
