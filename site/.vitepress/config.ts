import { dirname } from "node:path";
import type { DefaultTheme } from "vitepress";
import { defineConfig } from "vitepress";
import manifest from "../../package.json" with { type: "json" };
import { entries } from "../../scripts/entries.ts";
import { amendComponents } from "./amendments.ts";
import { anchorOf, builtFolder, pageOfEntry, pagesFolder, pathInSite, sections } from "../contents.ts";

const listed = sections().map(({ title, pages }) => ({
  title,
  items: pages.map((page) => ({ text: page.title, link: linkTo(pathInSite(page.source)) })),
}));
const api = { title: "API", items: entries.map(({ name }) => ({ text: name, link: linkTo(pageOfEntry(name)) })) };
const project = {
  title: "Project",
  items: [
    ...["Changelog", "Contributing", "Security"].map((text) => ({ text, link: linkTo(`${text.toUpperCase()}.md`) })),
    { text: "Decisions", link: linkTo("docs/decisions/index.md") },
    { text: "Releases", link: linkTo("docs/release.md") },
  ],
};

const sidebar: DefaultTheme.SidebarItem[] = [...listed, api, project].map(({ title, items }, index) => ({
  text: title,
  items,
  collapsed: index > 2,
}));

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#3451b2"/><text x="16" y="23" text-anchor="middle" font-family="sans-serif" font-size="20" fill="#fff">¢</text></svg>';

/**
 * Room for a line of code beside the list of headings, on a laptop too, and a mark of its language that can be read. Diagrams take the whole
 * width of a phone.
 */
const style = `
html:root { --vp-code-font-size: 13px; --vp-code-lang-color: var(--vp-c-text-2); }
.DocSearch-Button-Key[data-key]::after { content: attr(data-key); }
.VPDoc.has-aside .content-container { max-width: 780px !important; }
.vp-doc div[class*="language-"] code { padding-inline: 16px; }
.vp-doc .diagram svg { display: block; max-width: 100%; height: auto; margin-inline: auto; }
@media (max-width: 639px) { .vp-doc .diagram { margin-inline: -24px; } }
@media (min-width: 1280px) and (max-width: 1439px) {
  html:root { --vp-sidebar-width: 248px; }
  .VPSidebar.VPSidebar { padding-right: 16px; }
  .VPDoc.has-aside { padding-inline: 16px; }
  .VPDoc.has-aside .content { padding-inline: 16px; }
  .VPDoc.has-aside .aside { max-width: 192px; padding-left: 16px; }
  .VPDoc.has-aside .aside-container { width: 176px; }
}
`;

export default defineConfig({
  title: "Centavo",
  description: manifest.description,
  lang: "en",
  base: process.env["SITE_BASE"] ?? "/",
  srcDir: pagesFolder,
  srcExclude: ["public/**"],
  outDir: builtFolder,
  cacheDir: `${dirname(builtFolder)}/cache`,
  head: [
    ["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
    ["style", {}, style],
  ],
  vite: { build: { chunkSizeWarningLimit: 2000 }, plugins: [amendComponents] },
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "All pages", link: "/docs/" },
      { text: `Version ${manifest.version}`, link: linkTo("CHANGELOG.md") },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
});

function linkTo(path: string): string {
  return `/${path.replace(/(index)?\.md$/, "")}`;
}
