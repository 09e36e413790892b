import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["test/**/*.test.ts"],
    globals: false,
    retry: 0,
    testTimeout: 10_000,
    hookTimeout: 10_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
