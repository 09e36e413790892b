import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export const root = join(import.meta.dirname, "..");
/** The folder that VitePress reads, which `build.ts` fills. */
export const pagesFolder = join(root, ".cache/site/pages");
export const builtFolder = join(root, ".cache/site/built");
/** Where typedoc writes the reference of each entry. */
export const apiFolder = "docs/api";

/** The list of all pages, which is a page itself. */
const LIST = "docs/README.md";

/** Every page of the repository that the site has. Each keeps its path, but a `README.md` is the `index.md` of its folder. */
export const sources: readonly string[] = [
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: root }).toSorted(),
];

export function pathInSite(source: string): string {
  return source.replace(/README\.md$/, "index.md");
}

/** A page, as the list of pages has it. */
export interface Listed {
  readonly source: string;
  readonly title: string;
  readonly description: string;
}

export interface Section {
  readonly title: string;
  readonly pages: readonly Listed[];
}

/** Reads the sections of the list: each heading, and the rows of its table. */
export function sections(): Section[] {
  const [, ...parts] = readFileSync(join(root, LIST), "utf8").split(/^## /m);
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf("\n")),
    pages: [...part.matchAll(/^\| \[[^\]]*\]\(([^)]+\.md)\) *\| (.*?) *\|$/gm)].map(
      ([, link = "", description = ""]) => {
        const source = posix.join(posix.dirname(LIST), link);
        return { source, title: titleOf(source), description };
      },
    ),
  }));
}

/** Returns the first heading of a page, without its marks. */
export function titleOf(source: string): string {
  const [, title = source] = /^# (.+)$/m.exec(readFileSync(join(root, source), "utf8")) ?? [];
  return title.replaceAll("`", "");
}

/** The page of an entry of the package in the reference, once it is written. An entry that names other types has a folder. */
export function pageOfEntry(entry: string): string {
  const path = `${apiFolder}/${entry.replace("/", "-")}`;
  return existsSync(join(pagesFolder, path)) ? `${path}/index.md` : `${path}.md`;
}

/** The anchor that GitHub gives a heading, which the site's is too, so that links hold in both. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
