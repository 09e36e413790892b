import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

/** A text of a program that a bug replaces. It is there once. */
export interface Change {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * Copies a program, plants a bug in the copy, and returns what loads its modules.
 * @param program the folder of the program, from the root of the repository
 * @param bug the name of the bug, and of the copy
 */
export function mutantOf(program: string, bug: string, changes: readonly Change[]) {
  const copy = join(repository, ".cache/shaken", bug.replaceAll(/\W+/g, "-"));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(join(repository, program), copy, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  for (const { file, find, replace } of changes) {
    const path = join(copy, file);
    const parts = readFileSync(path, "utf8").split(find);
    if (parts.length !== 2) throw new Error(`${file} has "${find}" ${parts.length - 1} times.`);
    writeFileSync(path, parts.join(replace));
  }
  return async <Module>(file: string): Promise<Module> => (await import(/* @vite-ignore */ join(copy, file))) as Module;
}
