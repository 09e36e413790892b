import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes files into a new folder, and returns it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The text of a story file whose script has this body. */
export function story(body: string, before = ""): string {
  return `${before}\nexport default { title: "A story", options: {}, script: async (stage) => { ${body} } };`;
}

export const PASSES = story("");
