import type { TestInSuite } from "./run-folder.ts";

/** What vitest tells of a test. */
export interface VitestTask {
  readonly name: string;
  readonly suite?: VitestTask | undefined;
  readonly file: { readonly name: string; readonly filepath?: string; readonly projectName?: string | undefined };
}

/** Returns what identifies a test among all that vitest runs, in whatever project. */
export function vitestTestInSuite(task: VitestTask): Omit<TestInSuite, "ordinal"> {
  const titles = [task.name];
  for (let { suite } = task; suite !== undefined; suite = suite.suite) titles.unshift(suite.name);
  const { name, filepath = name } = task.file;
  return {
    // Before version 2, the tests of a file without groups are in one that has no name.
    title: titles.filter((title) => title !== "").join(" > "),
    file: filepath,
    project: projectNamed(task.file.projectName),
  };
}

/** A suite without projects is one that has no name. */
export function projectNamed(name: string | undefined): string | undefined {
  return name === "" ? undefined : name;
}
