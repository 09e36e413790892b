import { CoverageReporter } from "centavo/vitest-reporter";
import { defineConfig } from "vitest/config";

const thresholds = JSON.parse(process.env.THRESHOLDS ?? "{}");
const folder = process.env.FOLDER;

export default defineConfig({
  test: { reporters: ["default", new CoverageReporter({ thresholds, folder })] },
});
