import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { nextPagesApi } from "centavo/testing";
import { afterAll, describe, expect, test, vi } from "vitest";
import { orders } from "../frameworks/next/orders.ts";

const shop = "https://shop.example";
const sim = createSimulator({ webhookUrl: `${shop}/api/hooks` });
sim.connect(shop, nextPagesApi("test/beside/frameworks/next/pages", { load: (file) => import(file) }));
afterAll(() => sim.close());

describe("an API route of a pages folder", () => {
  test("is called as Next calls it: with query, body and cookies, and with status() and json()", async () => {
    const answer = await sim.visit("/api/orders/7?tag=a&tag=b&page=2", {
      method: "POST",
      body: JSON.stringify({ amount: 1 }),
      headers: { "content-type": "application/json", cookie: "sid=ana" },
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      query: { id: "7", tag: ["a", "b"], page: "2" },
      body: { amount: 1 },
      cookies: { sid: "ana" },
    });
  });

  test("may be an index, a catch-all, or nowhere", async () => {
    const redirect = await sim.visit("/api/orders");
    expect([redirect.status, redirect.headers.get("location")]).toEqual([307, "/api/orders/1"]);
    expect(await (await sim.visit("/api/files/a/b%20c")).json()).toEqual(["a", "b c"]);
    expect((await sim.visit("/api/nowhere")).status).toBe(404);
    expect((await sim.visit("/orders")).status).toBe(404);
  });

  test.for([
    ["/api/orders/7/?page=2", "/api/orders/7?page=2"],
    ["//api/orders/7", "/api/orders/7"],
  ] as const)("at %s is sent on to %s, as Next does", async ([path, location]) => {
    const answer = await sim.visit(shop + path);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
  });

  test("gets no request whose path is no valid percent-encoding", async () => {
    expect((await sim.visit("/api/orders/%E0%A4%A")).status).toBe(400);
  });

  test("gets the bytes of a webhook if its config says so", async () => {
    orders.set("secret", sim.credentials.webhookSecret);
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    const { id } = await client.paymentIntents.create({ amount: 5000 });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle({ strict: true });
    expect(orders.get("last event")).toBe("payment_intent.succeeded");
  });

  test("answers 400 to a body that is not JSON, and says what it throws", async () => {
    const init = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
    expect((await sim.visit("/api/orders/7", init)).status).toBe(400);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await expect(sim.visit("/api/orders/7", { method: "DELETE" })).rejects.toThrow("no such order");
    vi.restoreAllMocks();
  });
});

test("a route that cannot be loaded is named, with the option that loads it", async () => {
  const broken = createSimulator();
  const load = (file: string): unknown => {
    if (file.endsWith("orders/index.ts")) throw new Error("no such module");
    return import(file);
  };
  broken.connect(shop, nextPagesApi("test/beside/frameworks/next/pages", { load }));
  await expect(broken.visit("/api/orders")).rejects.toThrow(
    /nextPagesApi\(\): api\/orders\/index\.ts cannot be loaded: no such module\. .*nextPagesApi\(folder, \{ load: /,
  );
  await broken.close();
});

describe("a wrong folder is refused", () => {
  const folderOf = (...files: string[]): string => {
    const pages = mkdtempSync(join(tmpdir(), "centavo-pages-"));
    mkdirSync(join(pages, "api"));
    for (const file of files) writeFileSync(join(pages, "api", file), "");
    return pages;
  };

  test.for<readonly [string, () => string, string]>([
    ["that does not exist", () => "no/such/folder", "nextPagesApi(): the folder "],
    ["without API routes", () => "docs/guide", "there is no API route in "],
    ["without next beside it", () => folderOf("hooks.ts"), "Next is not installed beside "],
    ["whose routes answer the same path", () => folderOf("hooks.ts", "hooks.js"), "answer the same path, /api/hooks"],
  ])("%s", ([, folder, message]) => {
    expect(() => nextPagesApi(folder())).toThrow(message);
  });
});
