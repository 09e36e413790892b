import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { base } from "./base.ts";
import { entries } from "../../scripts/entries.ts";
import { builtFolder, pageOfEntry, pathInSite, sources, titleOf } from "../../site/contents.ts";

const pages = new Map(
  globSync("**/*.html", { cwd: builtFolder }).map((path) => [path, readFileSync(join(builtFolder, path), "utf8")]),
);
const anchors = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf(html, "id"))]));

test("the site is built to be served below a folder, where a link that forgets it would show", () => {
  expect(base).toMatch(/^\/.+\/$/);
});

test("every page of the repository and every entry of the package is a page of the site", () => {
  const expected = [...sources.map(pathInSite), ...entries.map(({ name }) => pageOfEntry(name))];
  expect(expected.length).toBeGreaterThan(60);
  expect(expected.map((path) => path.replace(/md$/, "html")).filter((path) => !pages.has(path))).toEqual([]);
});

test.for([...pages.keys()])("%s links to pages and anchors that exist", (page) => {
  const broken = valuesOf(pages.get(page) ?? "", "href")
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor = ""] = link.split("#");
      const target = targetOf(page, path);
      if (anchor === "") return !existsSync(join(builtFolder, target));
      return anchors.get(target)?.has(decodeURIComponent(anchor)) !== true;
    });
  expect(broken).toEqual([]);
});

test.for([...pages.keys()])("%s loads nothing from elsewhere", (page) => {
  const tags = (pages.get(page) ?? "").match(/<(?:script|link|img|source|iframe)\b[^>]*>/g) ?? [];
  const loaded = tags.flatMap((tag) => valuesOf(tag, "(?:src|href)"));
  expect(
    loaded.filter((link) => !link.startsWith("data:") && !existsSync(join(builtFolder, targetOf(page, link)))),
  ).toEqual([]);
});

test("the styles load no font or picture from elsewhere", () => {
  const styles = globSync("assets/*.css", { cwd: builtFolder }).map((path) =>
    readFileSync(join(builtFolder, path), "utf8"),
  );
  expect(styles.join("").match(/url\(["']?(?:https?:)?\/\/|@import/g)).toBeNull();
});

test("the search has every page, and is part of the site", () => {
  const [index = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: builtFolder });
  const text = readFileSync(join(builtFolder, index), "utf8");
  const missing = sources.filter((source) => !text.includes(`/${pathInSite(source).replace(/(index)?\.md$/, "")}`));
  expect(missing).toEqual([]);
});

test("llms.txt names every page of the guide and every entry of the package, each as Markdown", () => {
  const text = readFileSync(join(builtFolder, "llms.txt"), "utf8");
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
  expect(links.filter((link) => !existsSync(join(builtFolder, link)))).toEqual([]);
  expect(sources.filter((source) => source.startsWith("docs/guide/") && !links.includes(source))).toEqual([]);
  expect(entries.map(({ name }) => pageOfEntry(name)).filter((page) => !links.includes(page))).toEqual([]);
  const full = readFileSync(join(builtFolder, "llms-full.txt"), "utf8");
  expect(sources.map(titleOf).filter((title) => !full.replaceAll("`", "").includes(`# ${title}\n`))).toEqual([]);
});

test("the page of the exam begins with exam, and its types with the options of exam", () => {
  const text = readFileSync(join(builtFolder, pageOfEntry("centavo/exam")), "utf8");
  const headings = [...text.matchAll(/^### (.*)$/gm)].map(([, heading = ""]) => heading);
  expect([headings[0], headings.find((heading) => !heading.endsWith("()"))]).toEqual(["exam()", "ExamOptions"]);
});

/** The values of an attribute in HTML, as the browser reads them. */
function valuesOf(html: string, attribute: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'"),
  );
}

/** The file to which a link of a page leads. */
function targetOf(page: string, link: string): string {
  const isAbsolute = link.startsWith("/");
  if (isAbsolute && !link.startsWith(base)) return `no page: ${link} is not below ${base}`;
  const file = link === "" ? page : isAbsolute ? link.slice(base.length) : posix.join(posix.dirname(page), link);
  return file === "" || file === "." || file.endsWith("/") ? posix.join(file, "index.html") : file;
}
