import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { installPacked } from "../packed.ts";
import { environmentOfRunner, programOf } from "../runners/runner.ts";
import { launch, open } from "./browser.ts";
import { view } from "./inspector.ts";

const root = join(import.meta.dirname, "../..");

/** The tests of a small shop, whose order is for this. */
const testsOf = (description: string): string => `
  import { withSimulator } from "centavo/vitest";
  import { describe, test as base } from "vitest";

  const test = withSimulator(base, { webhookUrl: "https://shop.example/hooks" });

  describe("orders", () => {
    test("are paid", async ({ sim, client }) => {
      sim.connect("https://shop.example", () => new Response("ok"));
      const { id } = await client.paymentIntents.create({ amount: 49900, description: "${description}" });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      await sim.clock.advance("1 hour");
    });
    test("are declined", async ({ sim, client }) => {
      const { id } = await client.paymentIntents.create({ amount: 10000, description: "a stolen card" });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_stolen" }).catch(() => undefined);
    });
  });`;

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** Starts vitest in watch mode. Both ends with the test: its inspector, which stays for a while otherwise, and vitest itself. */
async function watch(folder: string): Promise<string> {
  const child = spawn(process.execPath, [programOf(".", "vitest"), "--watch", "--reporter=dot"], {
    cwd: folder,
    env: { ...environmentOfRunner(), CENTAVO_INSPECT: "1", CI: "true", TMPDIR: folder },
    stdio: ["pipe", "ignore", "pipe"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "close");
  });
  for await (const line of createInterface(child.stderr)) {
    const [, address] = /^Centavo inspector: (http.*)$/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error("vitest has ended and has printed no address.");
}

test("the worlds of vitest's tests are watched: by name, live, in each run, and forked", async () => {
  const { folder } = installPacked("inspected-watch");
  symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"), "junction");
  const file = join(folder, "shop.test.mjs");
  writeFileSync(file, testsOf("The Left Hand of Darkness"));
  writeFileSync(join(folder, "vitest.config.mjs"), "export default {};\n");

  const address = await watch(folder);
  const { page, complaints } = await open(browser, address);
  const paid = page.locator(".world").filter({ hasText: "shop.test.mjs > orders > are paid" });
  await paid.click();
  await page.locator("h1").filter({ hasText: "shop.test.mjs > orders > are paid" }).waitFor();
  await page.locator(".row").filter({ hasText: "The Left Hand of Darkness" }).first().waitFor();
  await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-01 01:00:00");
  expect(await page.locator(".world").filter({ hasText: "orders > are declined" }).count()).toBe(1);
  await expect.poll(() => paid.innerText()).toContain("ended");

  // The test owns its world.
  const clock = page.getByRole("region", { name: "Clock" });
  for (const button of await clock.getByRole("button").all()) expect(await button.isDisabled()).toBe(true);

  // The next run takes the place of the last, in the page that is open.
  const again = page.locator(".row").filter({ hasText: "The Dispossessed" });
  const saved = async (): Promise<number> => {
    // Until vitest has noticed: it begins to look at the file at some time after its first run.
    if ((await again.count()) === 0) writeFileSync(file, testsOf("The Dispossessed"));
    await again
      .first()
      .waitFor({ timeout: 20_000 })
      .catch(() => undefined);
    return again.count();
  };
  await expect.poll(saved, { timeout: 120_000 }).toBeGreaterThan(0);
  await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-01 01:00:00");
  await expect.poll(() => paid.innerText()).toContain("ended");
  expect(await page.locator(".row").filter({ hasText: "The Left Hand of Darkness" }).count()).toBe(0);
  expect(await paid.count()).toBe(1);

  // A fork of it is the page's own.
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  await page.locator(".world").filter({ hasText: "fork-1" }).click();
  await page.getByRole("button", { name: "+ 1 day" }).click();
  await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-02 01:00:00");
  const resources = await view(page, "resources");
  expect(await resources.innerText()).toContain("succeeded");
  expect(complaints).toEqual([]);
  expect(readFileSync(file, "utf8")).toContain("The Dispossessed");
});
