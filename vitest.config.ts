import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    globals: false,
    retry: 0,
    testTimeout: 10_000,
    hookTimeout: 10_000,
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
        extends: true,
        test: { name: "package", include: ["test/package/**/*.test.ts"] },
      },
    ],
  },
});
