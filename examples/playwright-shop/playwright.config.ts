import { defineConfig } from "@playwright/test";

// Without it, the browser that `npx playwright install chromium` brings.
const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: "test",
  fullyParallel: true,
  use: {
    trace: "retain-on-failure",
    launchOptions: CHROMIUM_PATH === undefined ? {} : { executablePath: CHROMIUM_PATH },
  },
});
