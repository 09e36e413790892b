import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { expect, test } from "vitest";

const shop = "https://shop.example";

test("a fetch to a connected app, such as the shop's own, neither sends the customer's cookies nor sets any", async () => {
  await using sim = createSimulator();
  intercept(sim);
  sim.connect(shop, async (request: Request) => {
    const { pathname } = new URL(request.url);
    const headers = { "set-cookie": `${pathname.slice(1)}=1; Path=/` };
    const body = request.method === "POST" ? await request.text() : (request.headers.get("cookie") ?? "nobody");
    return new Response(body, { headers });
  });
  await sim.visit("/customer");
  expect(await (await fetch(`${shop}/backend`)).text()).toBe("nobody");
  expect(await (await fetch(`${shop}/backend`, { headers: { cookie: "own=1" } })).text()).toBe("own=1");
  expect(await (await fetch(`${shop}/backend`, { method: "POST", body: "an order" })).text()).toBe("an order");
  expect(await (await sim.visit("/customer")).text()).toBe("customer=1");
});
