import { defineConfig } from "@playwright/test";

/** The configuration of a user, but for the system's Chromium. */
export default defineConfig({
  testDir: ".",
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  use: {
    launchOptions: {
      executablePath: "/usr/bin/chromium-headless-shell",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
