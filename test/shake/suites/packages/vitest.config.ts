import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { entries } from "../../../../scripts/entries.ts";

/** Two packages with a file of the same name, and a project that runs one of them again. */
const project = (name: string, folder: string) => ({
  extends: true as const,
  root: join(import.meta.dirname, folder),
  test: { name, include: ["pay.ts"], setupFiles: [join(import.meta.dirname, "../../../../src/shake.ts")] },
});

export default defineConfig({
  resolve: {
    alias: entries.map(({ name, source }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(import.meta.dirname, "../../../..", source),
    })),
  },
  test: { projects: [project("one", "one"), project("two", "two"), project("one again", "one")] },
});
