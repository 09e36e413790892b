import { statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const folder = join(import.meta.dirname, "../../docs/pictures");

/** Holds that the documentation has a picture of a page, which is small enough to load. `npm run picture` takes it anew. */
export async function picture(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  if (process.env["UPDATE_PICTURE"] !== undefined) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.screenshot({ path });
  }
  const { size } = statSync(path);
  expect(size).toBeGreaterThan(5000);
  expect(size).toBeLessThan(150_000);
}
