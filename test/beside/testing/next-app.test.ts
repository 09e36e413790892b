import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { nextApp } from "centavo/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { orders } from "../frameworks/next/orders.ts";

const origin = "https://shop.example";

/** Writes an app whose routes, each by its folder, answer with their own folder and the parameters that they were given. */
function appOf(folders: readonly string[], name = "route.mjs", text = ECHO): string {
  const app = mkdtempSync(join(tmpdir(), "centavo-next-"));
  for (const folder of folders) {
    const file = join(app, folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replace("FOLDER", JSON.stringify(folder)));
  }
  return app;
}

const ECHO = `export async function GET(request, { params }) {
  return Response.json({ folder: FOLDER, params: await params, class: request.constructor.name });
}`;

type Fetching = ReturnType<typeof nextApp>;

async function get({ fetch }: Fetching, path: string, init?: RequestInit): Promise<Response> {
  return fetch(new Request(origin + path, init));
}

describe("the route handlers of a real Next app", () => {
  const app = nextApp("test/beside/frameworks/next/app");
  beforeEach(() => orders.clear());

  test("get a NextRequest, and answer with a NextResponse and its cookies", async () => {
    const created = await get(app, "/api/orders", { method: "POST", body: '{"id":"order-1"}' });
    expect(created.status).toBe(201);
    expect(created.headers.get("set-cookie")).toContain("order=order-1; Path=/; HttpOnly");
    orders.set("order-2", "paid");
    expect(await (await get(app, "/api/orders?status=paid")).json()).toEqual({
      path: "/api/orders",
      found: ["order-2"],
    });
    const own = await get(app, "/api/orders/order-1", { headers: { cookie: "order=order-1" } });
    expect(await own.json()).toEqual({ id: "order-1", status: "pending", isOwn: true });
    expect(await (await get(app, "/api/orders/latest")).json()).toEqual({ latest: true });
  });

  test("read and set cookies by next/headers, each request its own", async () => {
    const visits = ["a", "b"].map((name) =>
      get(app, "/api/visits", { headers: { cookie: `name=${name}`, "x-trace": `trace-${name}` } }),
    );
    const answers = await Promise.all(
      (await Promise.all(visits)).map(async (answer) => [
        (await answer.json()) as unknown,
        answer.headers.getSetCookie(),
      ]),
    );
    expect(answers).toEqual([
      [{ name: "a", trace: "trace-a" }, ["seen=a; Path=/"]],
      [{ name: "b", trace: "trace-b" }, ["seen=b; Path=/"]],
    ]);
    const left = await get(app, "/api/elsewhere?to=orders");
    expect(left.headers.getSetCookie()).toEqual(["came=from-elsewhere; Path=/"]);
  });

  test("receive the webhooks of a connected simulator", async () => {
    const sim = createSimulator();
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    sim.connect(origin, nextApp(pathToFileURL("test/beside/frameworks/next/app")));
    await sim.visit("POST", "/api/orders", { id: "order-1" });
    const { checkoutUrl } = await client.checkout.create({
      externalId: "order-1",
      amount: 10000,
      description: "Shoes",
      webhookUrl: `${origin}/hooks`,
      returnUrl: `${origin}/thanks`,
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    expect(orders.get("order-1")).toBe("completed");
    await sim.close();
  });

  test.for([
    ["nowhere", 404, null],
    ["orders", 307, "/api/orders?status=a;b"],
    ["home", 308, "/"],
    ["", 307, `${origin}/api/orders`],
  ] as const)("may leave by next/navigation: %s", async ([to, status, location]) => {
    const answer = await get(app, `/api/elsewhere?to=${to}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([status, location]);
  });
});

describe("a method without a handler", () => {
  const app = nextApp("test/beside/frameworks/next/app");

  test("is HEAD, which GET answers without a body", async () => {
    const answer = await get(app, "/api/orders/latest", { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
  });

  test("is OPTIONS, whose answer lists what is allowed", async () => {
    const answer = await get(app, "/api/orders/1", { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "DELETE, GET, HEAD, OPTIONS"]);
  });

  test("is not allowed, or no method that Next knows", async () => {
    expect((await get(app, "/api/orders/1", { method: "PUT" })).status).toBe(405);
    expect((await get(app, "/hooks", { method: "HEAD" })).status).toBe(405);
    expect((await get(app, "/hooks", { method: "PROPFIND" })).status).toBe(400);
  });
});

describe("paths", () => {
  const app = nextApp(
    appOf([
      "",
      "orders",
      "orders/[id]",
      "orders/[id]/items/[item]",
      "orders/latest",
      "files/[...path]",
      "files/list",
      "shelf/[[...path]]",
      "(shop)/(inner)/hooks",
      "@modal/slot",
      "_lib/hidden",
      "feed/(..)photo",
      "%5Fadmin",
      "[page]",
    ]),
  );

  test.for([
    ["/", "", {}],
    ["/orders", "orders", {}],
    ["/orders?page=2", "orders", {}],
    ["/orders/7", "orders/[id]", { id: "7" }],
    ["/orders/a%20b%2Fc", "orders/[id]", { id: "a b/c" }],
    ["/orders/latest", "orders/latest", {}],
    ["/orders/latest/items/2", "orders/[id]/items/[item]", { id: "latest", item: "2" }],
    ["/files/a/b", "files/[...path]", { path: ["a", "b"] }],
    ["/files/list", "files/list", {}],
    ["/files/list/more", "files/[...path]", { path: ["list", "more"] }],
    ["/shelf", "shelf/[[...path]]", {}],
    ["/shelf/a/b", "shelf/[[...path]]", { path: ["a", "b"] }],
    ["/hooks", "(shop)/(inner)/hooks", {}],
    ["/slot", "@modal/slot", {}],
    ["/_admin", "%5Fadmin", {}],
    ["/about", "[page]", { page: "about" }],
    ["/files", "[page]", { page: "files" }],
  ] as const)("%s leads to %s", async ([path, folder, params]) => {
    expect(await (await get(app, path)).json()).toMatchObject({ folder, params });
  });

  test.for(["/orders/7/items", "/_lib/hidden", "/lib/hidden", "/(shop)/hooks", "/a/b"])(
    "%s leads nowhere",
    async (path) => {
      expect((await get(app, path)).status).toBe(404);
    },
  );

  test.for([
    ["/orders/", "/orders"],
    ["/orders//7/?a=/", "/orders/7?a=/"],
    ["//elsewhere.example", "/elsewhere.example"],
  ] as const)("%s is sent on to %s", async ([path, location]) => {
    const answer = await get(app, path);
    expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
  });

  test("that are no valid percent-encoding are bad requests", async () => {
    expect((await get(app, "/orders/%E0%A4%A")).status).toBe(400);
  });

  test("lead to a handler that gets a plain Request where next is not installed", async () => {
    expect(await (await get(app, "/orders")).json()).toMatchObject({ class: "Request" });
  });
});

test.for(["ts", "tsx", "js", "jsx", "mjs"])("a route handler may stand in route.%s", async (extension) => {
  const app = nextApp(appOf(["card"], `route.${extension}`), { load: () => ({ GET: () => new Response("a card") }) });
  expect(await (await get(app, "/card")).text()).toBe("a card");
});

describe("a wrong app is refused", () => {
  test.for([
    ["no/such/folder", /the folder .*no\/such\/folder cannot be read: ENOENT/],
    ["package.json", /the folder .*package\.json cannot be read: ENOTDIR/],
    ["docs/guide", /there is no route handler in .*docs\/guide\. Give the folder of the App Router/],
  ] as const)("that is %s", ([folder, message]) => {
    expect(() => nextApp(folder)).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringMatching(message) as string }),
    );
  });

  test.for<[string[], string]>([
    [["hooks", "(shop)/hooks"], "(shop)/hooks/route.mjs and hooks/route.mjs answer the same path, /hooks"],
    [["shelf", "shelf/[[...path]]"], "answer the same path, /shelf"],
    [["orders/[id]", "orders/[order]/items"], "name the same part of the path id and order"],
    [["files/[...path]/size"], "files/[...path]/size/route.mjs: a catch-all folder has to be the last of its path"],
  ])("with the folders %j", ([folders, message]) => {
    expect(() => nextApp(appOf(folders))).toThrow(message);
  });

  test("when its own next cannot be loaded", async () => {
    const broken = nextApp("test/beside/frameworks/next/app", {
      load: () => {
        throw new SyntaxError("Unexpected token");
      },
    });
    await expect(get(broken, "/api/orders")).rejects.toThrow(
      /^nextApp\(\): \S+\/next\/\S+\.js cannot be loaded: Unexpected token\. If your test runner compiles your code, /,
    );
  });

  test("when a route exports no handler, cannot be loaded, or answers with no Response", async () => {
    const silent = nextApp(appOf(["hooks"], "route.mjs", "export default function POST() {}"));
    await expect(get(silent, "/hooks")).rejects.toThrow("nextApp(): hooks/route.mjs exports no route handler");
    const broken = nextApp(appOf(["hooks"], "route.js", ""), {
      load: () => {
        throw new Error("no such module");
      },
    });
    await expect(get(broken, "/hooks")).rejects.toThrow(
      /hooks\/route\.js cannot be loaded: no such module\. .*load: \(file\) => import\(file\)/,
    );
    const empty = nextApp(appOf(["hooks"], "route.mjs", "export const GET = () => 'thanks';"));
    await expect(get(empty, "/hooks")).rejects.toThrow(
      "GET of hooks/route.mjs returned thanks, and a route handler returns a Response",
    );
  });

  test("by what a handler throws itself", async () => {
    const app = nextApp(
      appOf(["hooks"], "route.mjs", "export const GET = () => { throw new Error('the handler broke'); };"),
    );
    await expect(get(app, "/hooks")).rejects.toThrow("the handler broke");
  });
});
