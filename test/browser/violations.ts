import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds, as sentences. It runs in the page by the browser's own hand, past the policy. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found: unknown = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations } = found as {
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(" | ")}`);
}
