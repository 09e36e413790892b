import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFolder } from "../../site/contents.ts";

/** The path under which the site was built to be served, with a slash at both ends. */
export const [, base = ""] =
  /src="(\/(?:.*\/)?)assets\/app\./.exec(readFileSync(join(builtFolder, "index.html"), "utf8")) ?? [];
