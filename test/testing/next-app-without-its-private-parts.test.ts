import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { nextApp } from "centavo/testing";
import { expect, test } from "vitest";

/** An app whose `next` has `next/server`, and nothing of what `nextApp` knows of its inside. */
function appOfAnotherNext(): string {
  const root = mkdtempSync(join(tmpdir(), "centavo-next-"));
  const files = {
    "package.json": '{"type":"module"}',
    "node_modules/next/package.json": '{"name":"next","version":"99.0.0"}',
    "node_modules/next/server.js": "exports.NextRequest = class NextRequest extends Request {};",
    "node_modules/next/headers.js":
      'exports.cookies = async () => { throw new Error("`cookies` was called outside a request scope."); };',
    "node_modules/next/cache.js":
      'exports.revalidateTag = () => { throw new Error("Invariant: static generation store missing in revalidateTag"); };',
    "node_modules/next/dist/client.js": "exports.read = () => undefined.length;",
    "app/stock/route.js":
      'import cache from "next/cache.js"; export const POST = async () => Response.json(cache.revalidateTag("stock"));',
    "app/inner/route.js":
      'import client from "next/dist/client.js"; export const POST = async () => Response.json(client.read());',
    "app/plain/route.js": "export const GET = (request) => new Response(request.constructor.name);",
    "app/cart/route.js":
      'import next from "next/headers.js"; export const POST = async () => Response.json(await next.cookies());',
    "app/broken/route.js": 'export const GET = () => { throw new Error("out of stock"); };',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return join(root, "app");
}

test("an app of a Next that keeps its request elsewhere works, and a route that reads it by next/headers says why it cannot", async () => {
  const { fetch } = nextApp(appOfAnotherNext());
  const send = (path: string, method = "GET") => fetch(new Request(`https://shop.example${path}`, { method }));
  expect(await (await send("/plain")).text()).toBe("NextRequest");
  await expect(send("/cart", "POST")).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message:
      "nextApp(): POST of cart/route.js reads its request by next/headers, which this version of Next keeps elsewhere than Next 16.4, with which nextApp was tried. " +
      "Read request.cookies and request.headers there, or start the app with next dev and give its address as webhookUrl.",
  });
  for (const [path, problem] of [
    ["stock", "Invariant: static generation store missing in revalidateTag"],
    ["inner", "Cannot read properties of undefined (reading 'length')"],
  ] as const)
    await expect(send(`/${path}`, "POST")).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message:
        `nextApp(): POST of ${path}/route.js needs more of Next than route handlers get here, where no Next server runs: ${problem}. ` +
        "Connect Next's own server, { listener: app.getRequestHandler() } of next({ dev: true }), or start next dev and give its address as webhookUrl.",
    });
  await expect(send("/broken")).rejects.toThrow("out of stock");
});
