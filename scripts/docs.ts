import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { controlDocument } from "../src/server/control/openapi.ts";
import { controlRoutes } from "../src/server/control/routes.ts";
import { openApiDocument } from "../src/simulator/openapi-document.ts";
import { assumptionsPage } from "./assumptions-page.ts";
import { causesPage } from "./causes-page.ts";
import { clientCalls, clientOperations } from "./client-calls.ts";
import { controlOperations } from "./control-operations.ts";
import { commandsPage } from "./commands-page.ts";
import { compatibilityPage } from "./compatibility-page.ts";
import { errorsPage } from "./errors-page.ts";
import { faultsGuide, faultsPage } from "./faults-page.ts";
import { fixtureKinds, fixtureOptions } from "./fixture-kinds.ts";
import { incidentsPage } from "./incidents-page.ts";
import { lawsPage } from "./laws-page.ts";
import { machinesEntry } from "./machines-entry.ts";
import { performancePage } from "./performance-page.ts";
import { root } from "./suites.ts";
import { testMethodsPage } from "./test-methods-page.ts";
import { troublesPage } from "./troubles-page.ts";
import { conformancePage } from "../test/conformance/render.ts";

/** A file that is generated from the code. */
export interface RenderedDocument {
  readonly path: string;
  readonly text: string;
}

/** Renders every generated document. */
export function renderedDocuments(): RenderedDocument[] {
  return [
    { path: "src/client/calls.ts", text: clientCalls() },
    { path: "src/client/operations.ts", text: clientOperations() },
    { path: "src/remote/operations.ts", text: controlOperations() },
    { path: "src/fixtures/kinds.ts", text: fixtureKinds() },
    { path: "src/fixtures/kind-options.ts", text: fixtureOptions() },
    { path: "src/machines.ts", text: machinesEntry() },
    { path: "docs/reference/openapi.json", text: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
    {
      path: "docs/reference/control-openapi.json",
      text: `${JSON.stringify(controlDocument(controlRoutes()), null, 2)}\n`,
    },
    page("docs/reference/test-methods.md", testMethodsPage(), "src/service/test-methods.ts"),
    page("docs/reference/assumptions.md", assumptionsPage(), "src/service/assumptions"),
    page("docs/reference/compatibility.md", compatibilityPage(), "the manifests of the repository"),
    page("docs/reference/errors.md", errorsPage(), "the tables of errors, and the messages that test/errors prints"),
    page("docs/reference/commands.md", commandsPage(), "the help of the commands, src/cli/*-command.ts"),
    page(
      "docs/reference/faults.md",
      faultsPage(),
      "the declarations of the faults, scripts/faults, and fault-texts.ts of each resource",
    ),
    page("docs/reference/troubles.md", troublesPage(), "src/troubles"),
    page("docs/reference/conformance.md", conformancePage(), "test/conformance"),
    page("docs/guide/causes.md", causesPage(), "src/report/causes"),
    page("docs/guide/laws.md", lawsPage(), "src/exam/laws"),
    { path: "docs/guide/faults.md", text: faultsGuide() },
    { path: "docs/guide/incidents.md", text: incidentsPage() },
    { path: "docs/performance.md", text: performancePage() },
  ];
}

/** A page that ends with a note, unseen by readers, of what it is generated from. */
function page(path: string, text: string, source: string): RenderedDocument {
  return { path, text: `${text}\n<!-- \`npm run docs\` writes this page from ${source}. -->\n` };
}

if (process.argv[1] === import.meta.filename) {
  for (const { path, text } of renderedDocuments()) writeFileSync(join(root, path), text);
}
