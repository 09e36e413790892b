import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { byNight } from "../by-night.ts";

/** Chromium without what draws its windows, which takes less than half of the processor's time. */
export const EXECUTABLE = "/usr/bin/chromium-headless-shell";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long Chromium may take for anything, in milliseconds: longer than on a busy machine. */
const PATIENCE = 120_000;

export type { Browser };

/** The sizes at which the pages are looked at. */
export const sizes = {
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  desktop: { width: 1440, height: 900 },
} as const;

/** The sizes and schemes in which a page is looked at: by day the smallest, the largest and each scheme, by night all together. */
export const looks = [
  ["phone", "light"],
  ["desktop", "dark"],
  ...byNight([
    ["tablet", "light"],
    ["phone", "dark"],
    ["tablet", "dark"],
    ["desktop", "light"],
  ] as const),
] as const;

/** Starts the system's Chromium. It is installed by `.ci/run`; a machine without it fails here, because a skipped test proves nothing. */
export async function launch(): Promise<Browser> {
  if (!existsSync(EXECUTABLE))
    throw new Error(
      `There is no Chromium at ${EXECUTABLE}. Install it with: apt-get update && apt-get install -y chromium-headless-shell`,
    );
  return chromium.launch({ executablePath: EXECUTABLE, args: FLAGS, timeout: PATIENCE });
}

/** A page, and what it did that a report must not do. */
export interface OpenedPage {
  readonly page: Page;
  /** What stands on its console, what it threw, and what its policy refused. */
  readonly complaints: string[];
  /** Every address that it asked for, besides its own. */
  readonly requests: string[];
}

/** Opens a document in a page of its own, which is closed at the end of the test. */
export async function open(browser: Browser, file: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: sizes.desktop, reducedMotion: "reduce", ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== file) requests.push(request.url());
  });
  await page.goto(file);
  await page.waitForSelector("h1");
  return { page, complaints, requests };
}
