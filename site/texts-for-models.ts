import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { sections, root, sources } from "./contents.ts";

/** Returns the files that language models read, by their paths: `llms.txt`, `llms-full.txt`, and every page as Markdown. */
export function textsForModels(): ReadonlyMap<string, string> {
  const pages = new Map(sources.map((source) => [source, readFileSync(join(root, source), "utf8")]));
  const lists = sections().map(({ title, pages: listed }) =>
    [`## ${title}`, ...listed.map((page) => `- [${page.title}](${page.source}): ${page.description}`)].join("\n"),
  );
  const index = [`# Centavo`, `> ${manifest.description}`, "- [README](README.md)", ...lists].join("\n\n");
  const full = [...pages].map(([source, text]) => `<!-- ${source} -->\n\n${text}`).join("\n\n");
  return new Map([...pages, ["llms.txt", `${index}\n`], ["llms-full.txt", full]]);
}
