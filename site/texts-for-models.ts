import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { entries } from "../scripts/entries.ts";
import { apiFolder, pageOfEntry, pagesFolder, sections, root, sources } from "./contents.ts";

/**
 * Returns the files that language models read, by their paths: `llms.txt`, `llms-full.txt`, and every page as Markdown, once the reference
 * of the entries is written. `llms-full.txt` is without that reference, which the declarations of the package hold.
 */
export function textsForModels(): ReadonlyMap<string, string> {
  const pages = new Map(sources.map((source) => [source, readFileSync(join(root, source), "utf8")]));
  const lists = sections().map(({ title, pages: listed }) =>
    [`## ${title}`, ...listed.map((page) => `- [${page.title}](${page.source}): ${page.description}`)].join("\n"),
  );
  const reference = globSync(`${apiFolder}/**/*.md`, { cwd: pagesFolder }).map(
    (path) => [path, readFileSync(join(pagesFolder, path), "utf8")] as const,
  );
  const api = ["## API", ...entries.map(({ name }) => `- [${name}](${pageOfEntry(name)})`)].join("\n");
  const index = [`# Centavo`, `> ${manifest.description}`, "- [README](README.md)", ...lists, api].join("\n\n");
  const full = [...pages].map(([source, text]) => `<!-- ${source} -->\n\n${text}`).join("\n\n");
  return new Map([...pages, ...reference, ["llms.txt", `${index}\n`], ["llms-full.txt", full]]);
}
