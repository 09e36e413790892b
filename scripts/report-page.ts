/** `node scripts/report-page.ts` builds the page of the report: its script and its style, each as one text in a module of the package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtPageOf } from "./built-page.ts";
import { root } from "./suites.ts";

/** The module that holds the built page. It is kept in git, because the sources run as they are, without a build. */
export const builtPageFile = join(root, "src/report/built-page.ts");

/** Returns the source of the module. */
export async function builtPage(): Promise<string> {
  return builtPageOf("src/report/page", "scripts/report-page.ts");
}

if (process.argv[1] === import.meta.filename) writeFileSync(builtPageFile, await builtPage());
