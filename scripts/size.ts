/** `npm run size -- "what changed"` measures the built core, and adds the size to the history, or replaces the row with the same words. */
import { writeFileSync } from "node:fs";
import manifest from "../package.json" with { type: "json" };
import { measureCore, sizeHistory, sizeHistoryFile } from "./core-size.ts";

const change = process.argv.slice(2).join(" ");
const { gzip } = await measureCore();
console.log(`${gzip} bytes`);
if (change !== "") {
  const rows = [...sizeHistory().filter((row) => row.change !== change), { version: manifest.version, change, gzip }];
  writeFileSync(sizeHistoryFile, `${JSON.stringify(rows, null, 2)}\n`);
}
