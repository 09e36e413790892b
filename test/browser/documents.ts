import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Where the suite leaves the documents that it opened, and the pictures of them. */
export const folder = join(import.meta.dirname, "../../.cache/browser");

/** Writes a document, and returns the address at which a browser opens it. */
export function fileOf(name: string, html: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}
