import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright-core";
import { builtFolder } from "../../site/contents.ts";
import { launch, open, sizes } from "../browser/browser.ts";

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
    const file = join(builtFolder, decodeURIComponent(pathname.replace(/\/$/, "/index.html")));
    const isThere = existsSync(file) && statSync(file).isFile();
    response.writeHead(isThere ? 200 : 404, { "content-type": types[extname(file)] ?? "text/plain" });
    response.end(isThere ? readFileSync(file) : undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  expect(found.join(" ")).toContain("/docs/guide/webhook-signature.html");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/docs/guide/**");
  expect(complaints).toEqual([]);
  expect(requests.filter((url) => !url.startsWith(address) && !url.startsWith("data:"))).toEqual([]);
  await page.context().close();
});

test.for(
  Object.entries(sizes).flatMap(([name, size]) =>
    (["light", "dark"] as const).map((colours) => [name, colours, size] as const),
  ),
)("no page is wider than a %s, in %s colours, and its diagram is seen", async ([, colorScheme, viewport]) => {
  for (const path of [
    "/",
    "/docs/guide/payment-intents.html",
    "/docs/guide/webhook-signature.html",
    "/docs/api/centavo/",
  ]) {
    const { page, complaints } = await open(browser, address + path, { viewport, colorScheme });
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(tooWide, path).toBe(0);
    expect(complaints).toEqual([]);
    if (path.includes("payment-intents")) {
      const [ink, paper] = await page.evaluate(() => [
        getComputedStyle(document.querySelector(".diagram text") as Element).fill,
        getComputedStyle(document.body).backgroundColor,
      ]);
      expect(ink).not.toBe(paper);
    }
    await page.context().close();
  }
});
