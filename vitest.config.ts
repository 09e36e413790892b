import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    globals: false,
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "suite",
          include: ["test/**/*.test.ts"],
          exclude: ["test/package/**"],
          setupFiles: ["test/contract/setup.ts"],
        },
      },
      {
        // What a version of Node may change: all but what reads the sources and the documents, and the longest of what chance drives.
        extends: true,
        test: {
          name: "core",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/{architecture,conformance,docs,fuzz,package}/**",
            "test/**/*-{model,property}.test.ts",
            "test/worlds/a-bounded-world-beside-a-whole-one.test.ts",
            "test/replay/stories.test.ts",
          ],
          setupFiles: ["test/contract/setup.ts"],
        },
      },
      {
        extends: true,
        test: { name: "package", include: ["test/package/**/*.test.ts"] },
      },
    ],
  },
});
