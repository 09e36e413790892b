import { CoverageReporter } from "centavo/vitest-reporter";
import { expectTypeOf, test } from "vitest";
import { defineConfig } from "vitest/config";
import type { Reporter, Vitest } from "vitest/node";

test("the reporter is one of vitest's, in a configuration and alone", () => {
  expectTypeOf<CoverageReporter>().toExtend<Reporter>();
  expectTypeOf<Vitest>().toExtend<Parameters<CoverageReporter["onInit"]>[0]>();
  defineConfig({ test: { reporters: ["default", new CoverageReporter({ print: false })] } });
});
