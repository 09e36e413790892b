import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { entries } from "../../../scripts/entries.ts";

const root = join(import.meta.dirname, "../../..");

/** Two files with one shop, which run one after the other in one process. */
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: entries.map(({ name, source }) => ({ find: new RegExp(`^${name}$`), replacement: join(root, source) })),
  },
  test: { include: ["{first,second}.ts"], fileParallelism: false, maxWorkers: 1, pool: "forks" },
});
