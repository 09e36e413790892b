import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSimulator } from "centavo";
import type * as Client from "centavo/client";
import { serve } from "centavo/server";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { launch } from "./browser.ts";
import type { Browser } from "./browser.ts";

declare const centavo: typeof Client;

let browser: Browser;
let client: string;

beforeAll(async () => {
  browser = await launch();
  const entry = join(import.meta.dirname, "../../src/client.ts");
  const bundled = await build({
    entryPoints: [entry],
    bundle: true,
    format: "iife",
    globalName: "centavo",
    write: false,
  });
  client = bundled.outputFiles[0]?.text ?? "";
});
afterAll(() => browser.close());

/** Opens an address with `centavo/client` in its page. */
async function pageWithClient(url: string): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.addScriptTag({ content: client });
  return page;
}

/** The address of a shop's page, at an origin of its own. */
async function shopPage(): Promise<string> {
  const shop = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<h1>Shop</h1>");
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void shop.close());
  return `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`;
}

test("a page of the server's own origin connects to its simulator", async () => {
  await using server = await serve(createSimulator());
  const page = await pageWithClient(`${server.url}/_centavo/health`);
  const seen = await page.evaluate(async (token) => {
    const sim = centavo.connectSimulator(location.origin, { token });
    const { id } = await sim.make.subscription({ status: "active" });
    await sim.faults.add({ kind: "processor.decline", code: "insufficient_funds" });
    await sim.clock.advanceUntil(async () => (await sim.subscriptions.get(id))?.status === "past_due");
    const refused = await sim.clock.advance("soon").catch((error: { code: string }) => error.code);
    return { now: await sim.clock.now(), refused };
  }, server.token);
  expect(seen).toEqual({ now: "2026-02-01T00:00:00.000Z", refused: "INVALID_DURATION" });
});

test("a page of another origin reaches the service when it is allowed, and never the control API", async () => {
  const origin = await shopPage();
  await using server = await serve(createSimulator(), { allowedOrigins: [origin.slice(0, -1)] });
  await using closed = await serve(createSimulator());
  const page = await pageWithClient(origin);
  const seen = await page.evaluate(
    async ([url = "", token = "", other = ""]) => {
      const keysAt = (base: string) =>
        fetch(`${base}/.well-known/jwks.json`).then(
          ({ status }) => status,
          () => "unreadable",
        );
      const moved = centavo.connectSimulator(url, { token }).clock.advance("1 day");
      return [
        await keysAt(url),
        await keysAt(other),
        await moved.then(
          () => "moved",
          (error: { code: string }) => error.code,
        ),
      ];
    },
    [server.url, server.token, closed.url],
  );
  expect(seen).toEqual([200, "unreadable", "NOT_CONNECTED"]);
});
