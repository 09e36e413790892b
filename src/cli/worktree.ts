import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";

/** What git sets for its hooks. Under it, git would work on the repository of the hook, and on its index. */
const OF_HOOKS: ReadonlySet<string> = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_PREFIX",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
]);

/** An earlier commit, checked out beside the working tree. */
export interface Worktree {
  /** The commit in short. */
  readonly commit: string;
  /** Returns where a path of the working tree is in it. */
  readonly at: (path: string) => string;
  readonly remove: () => void;
}

/**
 * Checks a commit out into a temporary folder, with links to what the working tree has installed.
 * @param file a file of the working tree, which the commit must have, too
 * @throws {CentavoError} `INVALID_STATE` without git and outside a repository; `NOT_FOUND` for a commit that git does not know, or that has not the file
 */
export function checkOut(ref: string, file: string): Worktree {
  const root = rootOf(dirname(file));
  const commit = commitOf(root, ref);
  const path = relative(root, file).split(sep).join("/");
  if (!succeeds(() => git(root, "cat-file", "-e", `${commit}:${path}`)))
    throw new CentavoError(
      "NOT_FOUND",
      `${path} does not exist at ${ref}. --prove plays the exam file of that commit, so name one that has it.`,
    );
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "centavo-prove-")));
  const worktree = join(folder, "worktree");
  const remove = (): void => {
    succeeds(() => git(root, "worktree", "remove", "--force", worktree));
    rmSync(folder, { recursive: true, force: true });
    succeeds(() => git(root, "worktree", "prune"));
  };
  const at = (place: string): string => join(worktree, relative(root, place));
  try {
    git(root, "-c", `core.hooksPath=${devNull}`, "worktree", "add", "--detach", "--force", worktree, commit);
    for (const place of foldersOfPackages(root, file)) linkInstalled(place, root, at);
    return { commit: git(root, "rev-parse", "--short", commit), at, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function rootOf(folder: string): string {
  try {
    return realpathSync(git(folder, "rev-parse", "--show-toplevel"));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CentavoError(
      "INVALID_STATE",
      isMissing
        ? "--prove takes git, and there is none here. Install it."
        : `--prove takes a git repository around the exam file. ${saidBy(error)}`,
      { cause: error },
    );
  }
}

function commitOf(root: string, ref: string): string {
  try {
    // A name that begins with a dash would be read as an option.
    if (ref.startsWith("-")) throw new Error("The name of a commit does not begin with a dash.");
    return git(root, "rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  } catch (error) {
    throw new CentavoError(
      "NOT_FOUND",
      `git knows no commit ${ref} here. Name one that git log shows, such as HEAD~1; in a shallow clone, run git fetch --unshallow first.`,
      { cause: error },
    );
  }
}

/** The folders that may have packages installed: those with a package.json, and those above the exam file. */
function foldersOfPackages(root: string, file: string): ReadonlySet<string> {
  const tracked = git(root, "ls-files", "-z", "--", ":(glob)**/package.json")
    .split("\0")
    .filter((path) => path !== "");
  const folders = new Set(tracked.map((path) => dirname(join(root, path))));
  for (let folder = dirname(file); folder.startsWith(root) && !folders.has(folder); folder = dirname(folder))
    folders.add(folder);
  return folders.add(root);
}

/** Links each installed package, so that a package of the same repository can lead to the earlier commit. */
function linkInstalled(folder: string, root: string, at: (path: string) => string): void {
  const installed = join(folder, "node_modules");
  if (!existsSync(installed) || existsSync(at(installed)) || !existsSync(at(folder))) return;
  for (const name of readdirSync(installed)) {
    const inScope = name.startsWith("@") ? readdirSync(join(installed, name)).map((each) => join(name, each)) : [name];
    for (const each of inScope) {
      const path = join(installed, each);
      // A link may lead nowhere.
      if (!existsSync(path)) continue;
      const real = realpathSync(path);
      const isOfRepository =
        lstatSync(path).isSymbolicLink() && real.startsWith(root + sep) && !real.includes(`${sep}node_modules${sep}`);
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(isOfRepository ? at(real) : real, at(path), "junction");
    }
  }
}

function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, LC_ALL: "C" };
  for (const name of OF_HOOKS) Reflect.deleteProperty(env, name);
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env,
    maxBuffer: 2 ** 28,
  }).trimEnd();
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** What git printed when it failed, in one line. */
function saidBy(error: unknown): string {
  const { stderr } = error as { readonly stderr?: string };
  return `git says: ${(stderr ?? messageOf(error)).trim().split("\n")[0]}`;
}
