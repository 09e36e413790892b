import type { KnipConfig } from "knip";
import { entries, program } from "./scripts/entries.ts";

const config: KnipConfig = {
  // A type that an exported signature mentions may be imported by whoever calls it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Run by its path, because its command line is what is tested.
  ignoreDependencies: ["@redocly/cli"],
  workspaces: {
    ".": {
      entry: [
        ...entries.map((entry) => entry.source),
        program,
        "scripts/{api,build,build-types,run-suite,size,sum-suites}.ts",
        "src/report/page/main.tsx",
        "test/docs/shop.ts",
        "bench/*.ts",
        "scenarios/**/*.ts",
        "test/cli/stories/*.ts",
        "test/testing/files-of-a-shop/*.ts",
        "test/types/compile.ts",
      ],
      project: ["{bench,scenarios,scripts,src,test}/**/*.{ts,tsx}", "*.ts"],
    },
    "examples/*": { entry: ["*.exam.ts", "test/*.ts"] },
    "examples/nest-*": { entry: ["src/*.exam.ts", "test/*.ts"] },
    "examples/next-shop": { entry: ["*.exam.ts", "test/*.ts", "app/**/route.ts"] },
    // Run by its path on what a test generates, so that it has the TypeScript that it needs.
    "installs/generators/*": { ignoreDependencies: ["openapi-fetch", "openapi-typescript"] },
    // Plugins that typedoc loads by their names.
    site: { ignoreDependencies: ["typedoc-plugin-markdown", "typedoc-plugin-missing-exports"] },
    "installs/frameworks/nest": { entry: ["shop.ts"] },
    "installs/frameworks/next": { entry: ["app/**/route.ts"] },
    // Run by its path on the tests of a small merchant.
    "installs/runners/jest": { ignoreDependencies: ["jest"] },
    "installs/runners/mocha": { ignoreDependencies: ["mocha"] },
    "installs/runners/vitest-4": { ignoreDependencies: ["vitest"] },
    "installs/runners/vitest-4.0": { ignoreDependencies: ["vite", "vitest"] },
    // Other versions of packages that users have, which tests load by their path.
    "installs/peers/msw-2": { ignoreDependencies: ["msw"] },
    "installs/peers/nock-14": { ignoreDependencies: ["nock"] },
    "installs/runtimes/*": { ignoreDependencies: ["node"] },
  },
};

export default config;
