/**
 * `node site/build.ts` builds the documentation site from the Markdown of the repository and the declarations of the build. `SITE_BASE` is
 * the path under which it is served, `/` by default. Nothing is fetched.
 */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "vitepress";
import { writeApi } from "./api.ts";
import { pagesFolder, pathInSite, root, sources } from "./contents.ts";
import { textsForModels } from "./texts-for-models.ts";

rmSync(pagesFolder, { recursive: true, force: true });
for (const source of sources) write(pathInSite(source), pageOfSite(source));
for (const file of globSync("docs/**/*.{json,svg,png}", { cwd: root }))
  for (const path of [file, `public/${file}`]) cpSync(join(root, file), join(pagesFolder, path));
await writeApi();
for (const [path, text] of textsForModels()) write(`public/${path}`, text);
await build(import.meta.dirname);

/** A page with its diagrams in its own HTML, so that they take its colours and their words are found. */
function pageOfSite(source: string): string {
  return readFileSync(join(root, source), "utf8")
    .replaceAll(/(\]\([^)\s]*)README\.md/g, "$1index.md")
    .replaceAll(/^!\[[^\]]*\]\(([^)]+\.svg)\)$/gm, (_image, path: string) => {
      const svg = readFileSync(join(root, dirname(source), path), "utf8");
      const inPage = svg.trim().replace(' style="color-scheme: light dark"', "");
      return `<div class="diagram">\n${inPage}\n</div>`;
    });
}

function write(path: string, text: string): void {
  const file = join(pagesFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
