import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { installPacked } from "../packed.ts";
import { runVitest } from "../runners/runner.ts";
import { EXECUTABLE } from "./browser.ts";

const root = join(import.meta.dirname, "../..");
const installs = "installs/runners/browser";
/** Written where its plugin is installed. */
const config = `
  import { playwright } from "@vitest/browser-playwright";
  const launchOptions = { executablePath: ${JSON.stringify(EXECUTABLE)}, args: ["--no-sandbox", "--disable-gpu"] };
  const instances = [{ browser: "chromium" }];
  const browser = { enabled: true, headless: true, screenshotFailures: false, provider: playwright({ launchOptions }), instances };
  export default { test: { testTimeout: 120_000, browser } };`;
const text = (part: string): string => expect.stringContaining(part) as string;

test("the entries for vitest work in Chromium, and name what does not", async () => {
  const { folder } = installPacked("runners/in-a-browser");
  const require = createRequire(join(root, installs, "package.json"));
  const place = (name: string): string => join(folder, "node_modules", name);
  mkdirSync(place("@vitest"));
  for (const name of ["vitest", "msw", "@vitest/browser-playwright"])
    symlinkSync(join(root, installs, "node_modules", name), place(name), "junction");
  for (const name of ["zod", "xstate", "@faker-js"])
    symlinkSync(join(root, "node_modules", name), place(name), "junction");
  cpSync(join(import.meta.dirname, "in-a-browser"), folder, { recursive: true });
  writeFileSync(join(folder, "vitest.config.mjs"), config);
  mkdirSync(join(folder, "public"));
  const worker = join(dirname(require.resolve("msw/package.json")), "lib/mockServiceWorker.js");
  cpSync(worker, join(folder, "public/mockServiceWorker.js"));

  const ran = await runVitest(installs, "in-a-browser");
  const refused = (network: string): string =>
    text(`network: "${network}" needs Node, and this is a browser. Leave the option out and hand network.fetch to`);
  expect(ran.outcomes).toEqual({
    "withSimulator pays an order": "passed",
    "a failed test is explained": text("Timeline:"),
    "a fetch of the page is explained": text(
      "a fetch of the page failed, and none of its requests has reached the simulator: interception is not possible here, and only a client that is given network.fetch does",
    ),
    "a swallowed error fails its test": text("the code under test swallowed an error"),
    "simulated makes a payment": "passed",
    "fixtures, the report and the coverage are made": "passed",
    "the network intercept is refused": refused("intercept"),
    "the network server is refused": refused("server"),
    "the worker of MSW answers every fetch of the page": "passed",
  });
});
