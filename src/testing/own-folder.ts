import { filesWithAge, isThere, removeFile, writeTextFile } from "../kit/base/runtime/files.ts";

/** The folder for recordings, reports and coverage, relative to the working directory. */
export const OWN_FOLDER = ".centavo";

/** How many files of failed tests are kept, and for how long at least, in milliseconds: a run may have more failures. */
const MOST_FILES = 200;
const LEAST_AGE = 3_600_000;
/** What the names of such files end with. */
const FILE_OF_A_TEST = /(?:^|-)[\da-f]{8}\.(?:json|html)$/;

/**
 * Calls a function that creates files in a folder. If the folder is new, it gets a `.gitignore`; a folder that is there belongs to the user.
 * @param folder as the user named it, or below the own folder
 */
export function inIgnoredFolder<Result>(folder: string, create: () => Result): Result {
  const own = /^(?:.*[\\/])?\.centavo(?=[\\/]|$)/.exec(folder)?.[0] ?? folder;
  const isNew = !isThere(own);
  const result = create();
  if (isNew && isThere(own)) writeTextFile(`${own}/.gitignore`, "*\n");
  return result;
}

/** Removes the oldest files of tests from the own folder: those of tests that were renamed or removed never pass again. */
export function forgetOldFiles(): void {
  const files = filesWithAge(OWN_FOLDER)
    .filter(({ name }) => FILE_OF_A_TEST.test(name))
    .toSorted((one, other) => one.age - other.age);
  for (const { name, age } of files.slice(MOST_FILES)) if (age > LEAST_AGE) removeFile(`${OWN_FOLDER}/${name}`);
}
