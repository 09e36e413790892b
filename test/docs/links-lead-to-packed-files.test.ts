import { globSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { anchorOf } from "../../site/contents.ts";
import { causes } from "../../src/report/causes/causes.ts";
import { METHODS_PAGE, pageOf, SERVICE_PAGE } from "../../src/report/causes/pages.ts";

const root = join(import.meta.dirname, "../..");

/** Every page that the package holds, by its path. */
const pages = globSync(["*.md", "docs/**/*.md"], { cwd: root }).filter(isPacked).toSorted();

test.for(pages)("%s links to files of the package, and to anchors that they have", (page) => {
  const broken = linksOf(page).filter((link) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : posix.join(posix.dirname(page), path);
    return !(isPacked(target) || isPicture(target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test("the pages have links to check", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/README.md", "docs/service.md"]));
  expect(linksOf("docs/service.md")).toContain("reference/assumptions.md#checkout.lifetime");
  expect(anchorsOf("docs/service.md")).toContain("1-what-the-service-does");
  expect(anchorsOf("docs/reference/assumptions.md")).toContain("checkout.lifetime");
});

test("what a failed test leads to is in the package, where a project installs it", () => {
  const led = [...causes.map(({ name }) => pageOf(name)), SERVICE_PAGE, METHODS_PAGE];
  const broken = led.filter((address) => {
    const [path = "", anchor] = address.replace("node_modules/centavo/", "").split("#");
    return !isPacked(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor));
  });
  expect(broken).toEqual([]);
  expect(led.every((address) => address.startsWith("node_modules/centavo/docs/"))).toBe(true);
});

/** The links of a page that lead to files beside it, as they are written. */
function linksOf(page: string): string[] {
  const links = [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)|\b(?:href|src)="([^"]+)"/g),
  ];
  return links.map(([, link, address]) => link ?? address ?? "").filter((link) => !/^[a-z]+:/.test(link));
}

function isPacked(path: string): boolean {
  const covers = (entry: string): boolean => path === entry || path.startsWith(`${entry}/`);
  const isListed =
    manifest.files.some(covers) && !manifest.files.some((entry) => entry[0] === "!" && covers(entry.slice(1)));
  return isListed && isFile(path);
}

/** Pictures are for the site and the repository. A page of the package shows their text instead. */
function isPicture(path: string): boolean {
  return path.startsWith("docs/pictures/") && isFile(path);
}

function isFile(path: string): boolean {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
}

/** The anchors that GitHub gives a page's headings, and those that the page sets itself. */
function anchorsOf(page: string): string[] {
  const text = proseOf(page);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));
  // The second heading of the same words is told apart by a number.
  const numbered = headings.map((anchor, index) => {
    const before = headings.slice(0, index).filter((earlier) => earlier === anchor).length;
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return [...numbered, ...[...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = ""]) => id)];
}

/** A page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
}
