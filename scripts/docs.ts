import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "../src/openapi/document.ts";
import { assumptionsPage } from "./assumptions-page.ts";
import { causesPage } from "./causes-page.ts";
import { compatibilityPage } from "./compatibility-page.ts";
import { errorsPage } from "./errors-page.ts";
import { faultsPage } from "./faults-page.ts";
import { lawsPage } from "./laws-page.ts";
import { chartsFolder, performanceCharts, performancePage } from "./performance-page.ts";
import { root } from "./suites.ts";
import { testMethodsPage } from "./test-methods-page.ts";
import { conformancePage } from "../test/conformance/render.ts";

/** A document that is generated from the code. */
export interface RenderedDocument {
  readonly path: string;
  readonly text: string;
}

/** Renders every generated document. */
export function renderedDocuments(): RenderedDocument[] {
  return [
    { path: "docs/reference/openapi.json", text: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
    { path: "docs/reference/test-methods.md", text: testMethodsPage() },
    { path: "docs/reference/assumptions.md", text: assumptionsPage() },
    { path: "docs/reference/compatibility.md", text: compatibilityPage() },
    { path: "docs/reference/errors.md", text: errorsPage() },
    { path: "docs/reference/faults.md", text: faultsPage() },
    { path: "docs/guide/causes.md", text: causesPage() },
    { path: "docs/guide/laws.md", text: lawsPage() },
    { path: "docs/reference/conformance.md", text: conformancePage() },
    { path: "docs/performance.md", text: performancePage() },
    ...performanceCharts(),
  ];
}

if (process.argv[1] === import.meta.filename) {
  rmSync(join(root, chartsFolder), { recursive: true, force: true });
  mkdirSync(join(root, chartsFolder), { recursive: true });
  for (const { path, text } of renderedDocuments()) writeFileSync(join(root, path), text);
}
