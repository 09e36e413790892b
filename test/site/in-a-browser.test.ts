import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { base } from "./base.ts";
import { isNight } from "../by-night.ts";
import { builtFolder } from "../../site/contents.ts";
import { launch, open, sizes } from "../browser/browser.ts";
import type { Browser } from "../browser/browser.ts";
import { violationsIn } from "../browser/violations.ts";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".woff2": "font/woff2",
};
let browser: Browser;
let server: Server;
let address: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const path = decodeURIComponent(pathname.replace(/\/$/, "/index.html"));
    const file = join(builtFolder, path.slice(base.length));
    const isThere = path.startsWith(base) && existsSync(file) && statSync(file).isFile();
    response.writeHead(isThere ? 200 : 404, { "content-type": types[extname(file)] ?? "text/plain" });
    response.end(isThere ? readFileSync(file) : undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base.slice(0, -1)}`;
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

test("the search finds a page by what it says, and asks nobody else", async () => {
  const { page, complaints, requests } = await open(browser, `${address}/`);
  await page.keyboard.press("Control+k");
  await page.fill(".VPLocalSearchBox input", "which header HMAC");
  await page.waitForSelector(".VPLocalSearchBox .result");
  const found = await page.locator(".VPLocalSearchBox .result").evaluateAll((links) => links.map(String));
  expect(found.join(" ")).toContain("/docs/guide/webhooks.html");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/guide/**");
  expect(complaints).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:"))).toEqual([]);
});

test("a laptop shows 90 characters of a line of code", async () => {
  const { page } = await open(browser, `${address}/docs/guide/quick-start.html`, {
    viewport: { width: 1280, height: 800 },
  });
  const columns = await page.evaluate(() => {
    const code = document.querySelector(".vp-doc pre code") as Element;
    const letter = code.appendChild(Object.assign(document.createElement("span"), { textContent: "x" }));
    const { paddingLeft, paddingRight } = getComputedStyle(code);
    const room =
      (code.parentElement as Element).clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return room / letter.getBoundingClientRect().width;
  });
  expect(columns).toBeGreaterThan(90);
});

/** A page of each kind. */
const paths = [
  "/",
  "/docs/guide/quick-start.html",
  "/docs/guide/payments.html",
  "/docs/reference/faults.html",
  "/docs/performance.html",
  "/docs/api/centavo-webhooks/",
];
/** What has each colour: text, code, diagrams and tables. */
const colourful = ["/", "/docs/guide/payments.html", "/docs/performance.html"];
/** Each size and each scheme once: the size decides where things are, and the scheme what colour they have. */
const looks = [
  ["phone", "light", sizes.phone, paths],
  ["desktop", "dark", sizes.desktop, isNight ? paths : colourful],
] as const;

describe.for(looks)("on a %s, in %s colours", ([, colorScheme, viewport, looked]) => {
  test.for(looked)("axe finds nothing wrong with %s, and it is no wider than the screen", async (path) => {
    const { page, complaints } = await open(browser, address + path, { viewport, colorScheme });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("axe finds nothing wrong with the search", async () => {
    const { page } = await open(browser, `${address}/`, { viewport, colorScheme });
    await page.keyboard.press("Control+k");
    await page.fill(".VPLocalSearchBox input", "signature");
    await page.waitForSelector(".VPLocalSearchBox .result");
    expect(await violationsIn(page)).toEqual([]);
  });

  test.for(["payments", "subscriptions"])("the diagrams of %s are whole and can be read in its ink", async (name) => {
    const { page } = await open(browser, `${address}/docs/guide/${name}.html`, { viewport, colorScheme });
    const seen = await page.locator(".diagram").evaluateAll((diagrams) =>
      diagrams.map((diagram) => {
        const { left, right } = (diagram.querySelector("svg") as Element).getBoundingClientRect();
        const texts = [...diagram.querySelectorAll("text")];
        const heights = texts.map((text) => Number(text.getAttribute("font-size")) * (text.getScreenCTM()?.a ?? 0));
        return {
          isWhole: left >= 0 && right <= innerWidth && diagram.scrollWidth <= diagram.clientWidth,
          least: Math.min(...heights),
        };
      }),
    );
    expect(seen).toHaveLength(2);
    for (const { isWhole, least } of seen) expect([isWhole, least >= 11]).toEqual([true, true]);
    const [ink, paper] = await page.evaluate(() => [
      getComputedStyle(document.querySelector(".diagram text") as Element).fill,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(ink).not.toBe(paper);
  });
});
