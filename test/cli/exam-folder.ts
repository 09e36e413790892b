import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mistake } from "../exam/small-shop.ts";
import { centavoIn } from "./commands.ts";
import type { Ran } from "./commands.ts";

const smallShop = join(import.meta.dirname, "../exam/small-shop.ts");

interface ExamFile {
  readonly name?: string;
  readonly mistake?: Mistake;
  /** Code before the exam. */
  readonly first?: string;
  /** Code that runs at each start of the shop. */
  readonly open?: string;
  /** Further options of the exam. */
  readonly more?: string;
}

/** An option of an exam: books that tell the stock, too. */
export const BOOKS_WITH_STOCK =
  "books: ({ store }) => ({ orders: [...store.values()], stock: { books: 9 - [...store.values()].filter(({ fulfilments }) => fulfilments > 0).length } })";

/** Runs `centavo exam` in this process. */
export function examIn(folder: string, ...args: readonly string[]): Promise<Ran> {
  return centavoIn(folder, "exam", ...args);
}

/** What an exam printed, without its pace, which differs from run to run. */
export function paceless(text: string): string {
  return text.replaceAll(/^.* stories a second: .*$/gm, "");
}

/** Makes a folder with the exam of a small shop, in the file `shop.exam.ts`. */
export function folderOf(...files: readonly ExamFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  for (const file of files.length === 0 ? [{}] : files) writeExam(folder, file);
  return folder;
}

export function writeExam(
  folder: string,
  { name = "shop.exam.ts", mistake, first = "", open = "", more = "" }: ExamFile,
): void {
  writeFileSync(
    join(folder, name),
    `import { openSmallShop } from ${JSON.stringify(smallShop)}; ${first}
    export default {
      open: async (opening) => { ${open}; return openSmallShop(opening, ${JSON.stringify(mistake)}); },
      acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: ({ store }) => ({ orders: [...store.values()] }),
      jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
      ${more}
    };`,
  );
}

/** Lets the shop do something when the second of the threads opens it for the second time. */
export const inSecondThread = (what: string): ExamFile => ({
  first: 'import { workerData } from "node:worker_threads"; let opened = 0;',
  open: `opened += 1; if (workerData.index === 1 && opened === 2) { ${what} }`,
});

export interface WrittenResults {
  readonly centavo: string;
  readonly exams: readonly {
    readonly file: string;
    readonly shard: { index: number; of: number };
    readonly pace: { readonly seconds: number };
    readonly verdict: WrittenVerdict;
  }[];
  readonly notExamined: readonly { readonly file: string; readonly why: string }[];
}

interface WrittenVerdict {
  readonly stories: number;
  readonly seed: number;
  readonly failures: readonly { readonly law: string; readonly token: string; readonly digest: string }[];
}

export const resultsIn = (folder: string, name: string): WrittenResults =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as WrittenResults;
