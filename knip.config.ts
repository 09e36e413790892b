import type { KnipConfig } from "knip";
import { entries, program } from "./scripts/entries.ts";

const config: KnipConfig = {
  // A type that an exported signature mentions may be imported by whoever calls it.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Installed for tests that are still being written.
  ignoreDependencies: ["@redocly/cli", "jose", "mitata", "oauth4webapi", "openid-client", "simple-oauth2"],
  workspaces: {
    ".": {
      entry: [
        ...entries.map((entry) => entry.source),
        program,
        "scripts/{build-types,check}.ts",
        "bench/*.ts",
        "examples/*/*.ts",
        "scenarios/**/*.ts",
        "test/cli/stories/*.ts",
      ],
      project: ["{bench,examples,scenarios,scripts,src,test}/**/*.{ts,tsx}", "*.ts"],
    },
    "runtimes/*": { ignoreDependencies: ["node"] },
  },
};

export default config;
