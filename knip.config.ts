import type { KnipConfig } from "knip";
import { entries, inspectorProgram, observer, program } from "./scripts/entries.ts";

const config: KnipConfig = {
  // A type that an exported signature mentions may be imported by whoever calls it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  workspaces: {
    ".": {
      entry: [
        ...entries.map((entry) => entry.source),
        program,
        inspectorProgram,
        observer,
        "scripts/{api,build,build-types,outcomes-reporter,run-suite,size,sum-suites}.ts",
        "src/report/page/main.tsx",
        "src/server/inspector/page/main.tsx",
        // Imported by the names of the resources.
        "src/service/*/fault-texts.ts",
        "bench/*.ts",
        "scenarios/**/*.ts",
        // Started as a process of its own.
        "test/attack/print-token.ts",
        "test/cli/stories/*.ts",
        "test/inspected/scripts/*.ts",
        "test/doctor/suites/*.ts",
        "test/shake/suites/**/*.ts",
        "test/testing/files-of-a-shop/*.ts",
        "test/types/compile.ts",
      ],
      project: ["{bench,scenarios,scripts,src,test}/**/*.{ts,tsx}", "*.ts"],
    },
    "examples/*": { entry: ["*.exam.ts", "test/*.ts"] },
    // The suites install what is not in the root. Until then, nothing tells which packages others need beside them, or bring as programs. Afterwards,
    // a hint would call these lines needless, so `npm run unused` prints no hints.
    "examples/koa-shop": { entry: ["*.exam.ts", "test/*.ts"], ignoreBinaries: ["mocha"] },
    "examples/nest-12-shop": {
      entry: ["src/*.exam.ts", "test/*.ts"],
      ignoreDependencies: ["@nestjs/platform-express", "rxjs"],
    },
    "examples/nest-11-shop": {
      entry: ["src/*.exam.ts", "test/*.ts"],
      ignoreDependencies: ["@nestjs/platform-express", "rxjs"],
      ignoreBinaries: ["jest"],
    },
    "examples/next-shop": {
      entry: ["*.exam.ts", "test/*.ts", "app/**/route.ts"],
      ignoreDependencies: ["react", "react-dom"],
    },
    "examples/playwright-shop": { entry: ["server.ts", "test/*.ts"] },
    // Plugins that typedoc loads by their names.
    site: { ignoreDependencies: ["typedoc-plugin-markdown", "typedoc-plugin-missing-exports"] },
    "test/beside": {
      entry: ["**/*.test.ts", "frameworks/next/app/**/route.ts", "frameworks/next/pages/api/**"],
      // Shells, and the program that gives them a terminal.
      ignoreBinaries: ["fish", "script"],
      // Needed by Next, Nest and the client of Prisma, imported by an example of the documentation, or run by their path.
      ignoreDependencies: ["@koa/router", "@prisma/client", "@redocly/cli", "react", "react-dom", "rxjs"],
    },
    "test/browser": {
      entry: ["*.test.ts", "playwright/**/*.ts"],
      // The root has it, whose copy is the one that the packed tarball finds.
      ignoreDependencies: ["@playwright/test"],
    },
  },
};

export default config;
