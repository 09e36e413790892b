import { CoverageReporter } from "centavo/vitest-reporter";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { reporters: ["default", new CoverageReporter({ blockNetwork: true, print: false })] },
});
