import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { createClient } from "centavo/client";
import { withSimulator } from "centavo/vitest";
import { describe, expect, test } from "vitest";

const shop = "https://shop.example";

/** A shop that sets the cookies of a query, and says at every address which it got. */
function cookieShop(request: Request): Response {
  const headers = new Headers();
  for (const cookie of new URL(request.url).searchParams.getAll("set")) headers.append("set-cookie", cookie);
  return new Response(request.headers.get("cookie") ?? "nobody", { headers });
}

function set(...cookies: string[]): string {
  return `/login?${new URLSearchParams(cookies.map((cookie) => ["set", cookie])).toString()}`;
}

async function seenBy(sim: Simulator, path = "/", init?: RequestInit): Promise<string> {
  return (await sim.visit(path, init)).text();
}

/** A simulator of a shop that notes who comes back from the hosted page. */
function shopWithReturns(): { sim: Simulator; back: string[]; pay: (returnUrl?: string) => Promise<void> } {
  const sim = createSimulator();
  const back: string[] = [];
  sim.connect(shop, (request: Request) => {
    if (new URL(request.url).pathname.startsWith("/thanks")) back.push(request.headers.get("cookie") ?? "nobody");
    return cookieShop(request);
  });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const pay = async (returnUrl = `${shop}/thanks`): Promise<void> => {
    const { checkoutUrl } = await client.checkout.create({
      externalId: "order-1",
      amount: 10000,
      description: "Shoes",
      webhookUrl: `${shop}/hooks`,
      returnUrl,
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
  };
  return { sim, back, pay };
}

describe("the customer", () => {
  test("comes back from the hosted page with the cookies of an earlier visit", async () => {
    const { sim, back, pay } = shopWithReturns();
    await sim.visit(set("sid=ana; Path=/; HttpOnly", "cart=full; Path=/thanks", "other=1; Path=/orders"));
    await pay();
    expect(back).toEqual(["cart=full; sid=ana"]);
    await sim.close();
  });

  test("comes back without a cookie that is SameSite=Strict, as from any other site", async () => {
    const { sim, back, pay } = shopWithReturns();
    await sim.visit(set("strict=1; Path=/; SameSite=Strict", "lax=1; Path=/; SameSite=Lax", "none=1; Path=/"));
    await pay();
    expect(back).toEqual(["lax=1; none=1"]);
    expect(await seenBy(sim)).toBe("strict=1; lax=1; none=1");
    await sim.close();
  });

  test("keeps the cookies of the page that it returns to", async () => {
    const { sim, pay } = shopWithReturns();
    await sim.visit(set("cart=full; Path=/", "sid=ana; Path=/"));
    await pay(`${shop}/thanks?${new URLSearchParams({ set: "cart=; Path=/; Max-Age=0" }).toString()}`);
    expect(await seenBy(sim)).toBe("sid=ana");
    await sim.close();
  });

  test("gives each app its own cookies", async () => {
    await using sim = createSimulator();
    sim.connect(shop, cookieShop);
    sim.connect("https://www.shop.example", cookieShop);
    sim.connect("https://other.example", cookieShop);
    await sim.visit(shop + set("own=1; Path=/", "wide=1; Path=/; Domain=shop.example", "foreign=1; Domain=example"));
    expect(await seenBy(sim, `${shop}/`)).toBe("own=1; wide=1");
    expect(await seenBy(sim, "https://www.shop.example/")).toBe("wide=1");
    expect(await seenBy(sim, "https://other.example/")).toBe("nobody");
  });

  test("keeps cookies of a listener and of a server of this machine, too", async () => {
    await using sim = createSimulator();
    sim.connect(shop, (request, response) => {
      response.setHeader("set-cookie", ["a=1; Path=/; Secure", "b=2; Path=/"]).end(request.headers.cookie ?? "nobody");
    });
    expect(await seenBy(sim)).toBe("nobody");
    expect(await seenBy(sim)).toBe("a=1; b=2");
  });

  test("ignores what is no cookie, or longer than browsers take", async () => {
    await using sim = createSimulator();
    sim.connect(shop, cookieShop);
    await sim.visit(set("", ";;;", "=", `long=${"a".repeat(5000)}; Path=/`, "sid=ana; Path=/"));
    await sim.visit(set(`ages=1; Path=/; Max-Age=${"9".repeat(30)}`, "gone=1; Path=/; Max-Age=-1"));
    expect(await seenBy(sim)).toBe("sid=ana; ages=1");
  });
});

describe("another person", () => {
  test.for<readonly [string, RequestInit, string]>([
    ["credentials: omit", { credentials: "omit" }, "nobody"],
    ["a cookie header of its own", { headers: { cookie: "sid=ben" } }, "sid=ben"],
  ])("visits with %s, and leaves the customer's cookies alone", async ([, init, seen]) => {
    await using sim = createSimulator();
    sim.connect(shop, cookieShop);
    await sim.visit(set("sid=ana; Path=/"));
    expect(await seenBy(sim, "/", init)).toBe(seen);
    await sim.visit(set("sid=cris; Path=/"), init);
    expect(await seenBy(sim)).toBe("sid=ana");
  });
});

describe("cookies are part of the world", () => {
  test("a reset forgets them, a snapshot brings them back, and a fork has a copy", async () => {
    await using sim = createSimulator();
    sim.connect(shop, cookieShop);
    const nobody = sim.snapshot();
    await sim.visit(set("sid=ana; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=3600"));
    const ana = JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<Simulator["snapshot"]>;
    const fork = sim.fork({ connect: true });
    sim.restore(nobody);
    expect(await seenBy(sim)).toBe("nobody");
    sim.restore(ana);
    expect(await seenBy(sim)).toBe("sid=ana");
    sim.reset();
    expect(await seenBy(sim)).toBe("nobody");
    expect(await (await fork.visit("/")).text()).toBe("sid=ana");
    await fork.close();
  });

  test("an answer to a world that has ended sets none in the next", async () => {
    await using sim = createSimulator();
    const { promise, resolve } = Promise.withResolvers<Response>();
    sim.connect(shop, (request: Request) => (request.url.endsWith("/slow") ? promise : cookieShop(request)));
    const visit = sim.visit("/slow");
    sim.reset();
    resolve(new Response("", { headers: { "set-cookie": "sid=ana; Path=/" } }));
    await visit;
    expect(await seenBy(sim)).toBe("nobody");
  });

  test("the digest of a run is the same with and without them", async () => {
    const digests = [];
    for (const path of ["/", set("sid=ana; Path=/")]) {
      const { sim, pay } = shopWithReturns();
      await sim.visit(path);
      await pay();
      await sim.clock.settle();
      digests.push(sim.journal.digest());
      await sim.close();
    }
    expect(digests[1]).toBe(digests[0]);
  });

  test("visits at once lose none", async () => {
    await using sim = createSimulator();
    sim.connect(shop, cookieShop);
    await Promise.all(Array.from({ length: 20 }, (_, index) => sim.visit(set(`c${index}=1; Path=/`))));
    expect((await seenBy(sim)).split("; ")).toHaveLength(20);
  });
});

withSimulator(test)("a cookie expires by the Date that follows the clock", async ({ sim }) => {
  sim.connect(shop, cookieShop);
  await sim.visit(
    set("short=1; Path=/; Max-Age=3600", `long=1; Path=/; Expires=${new Date(Date.now() + 86_400_000).toUTCString()}`),
  );
  expect(await seenBy(sim)).toBe("short=1; long=1");
  await sim.clock.advance("2 hours");
  expect(await seenBy(sim)).toBe("long=1");
  await sim.clock.advance("1 day");
  expect(await seenBy(sim)).toBe("nobody");
});
