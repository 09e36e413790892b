import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ListenerApp, Simulator } from "centavo";
import { hostileDeliveries, simulated } from "centavo/testing";
import { signWebhook } from "centavo/webhooks";
import { expect, test } from "vitest";
import type { Order, Store } from "../../examples/hono-shop/shop.ts";

const examples = join(import.meta.dirname, "../../examples");
const url = "https://shop.example";
const customer = { name: "Ana Cruz", email: "ana@customer.example" };

/** What the exams of all small shops have in common. Their frameworks differ, and so do the types of their apps. */
interface ShopExam {
  readonly open: (opening: {
    readonly sim: Pick<Simulator, "baseUrl" | "authUrl" | "credentials">;
    readonly store: Store;
    readonly url: string;
  }) => Promise<ListenerApp>;
}

test.for([
  "fastify-shop/shop.exam.ts",
  "hono-shop/shop.exam.ts",
  "koa-shop/shop.exam.ts",
  "next-shop/shop.exam.ts",
  "nest-12-shop/src/shop.exam.ts",
])("the shop of %s withstands hostile deliveries, and knows which orders are its own", (path) =>
  simulated({ recordings: false }, async ({ sim, network, visit }) => {
    const { default: shopExam } = (await import(join(examples, path))) as { default: ShopExam };
    const store: Store = { orders: new Map(), memberships: new Map() };
    const service = { ...network, credentials: sim.credentials };
    sim.connect(url, await shopExam.open({ sim: service, store, url }));

    expect((await visit(`${url}/orders/nobody-s`)).status).toBe(404);
    const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", data: {} });
    const { webhookSecret: secret } = sim.credentials;
    const signed = signWebhook({
      scheme: "paymongo",
      secret,
      body,
      eventId: "evt_1",
      timestamp: Date.parse(sim.clock.now()),
    });
    const headers = { "content-type": "application/json", ...signed };
    expect((await visit(`${url}/webhooks`, { method: "POST", headers, body })).status).toBe(204);

    const report = await hostileDeliveries(sim, {
      order: async () => {
        const answer = await visit("POST", "/orders", { id: `order-${store.orders.size}`, customer });
        expect(answer.status).toBe(201);
        const { id, session } = (await answer.json()) as Order;
        return { id, sessionToken: session?.sessionToken ?? "" };
      },
      fulfilments: ({ id }) => store.orders.get(id)?.parcels ?? 0,
      status: ({ id }) => store.orders.get(id)?.status,
    });
    expect(report.faults, String(report)).toEqual([]);
  })(),
);

test.for([
  ["shop.ts", ["fastify-shop", "hono-shop", "koa-shop"]],
  ["shop.exam.ts", ["fastify-shop", "hono-shop", "koa-shop"]],
  ["webhooks.ts", ["fastify-shop", "hono-shop", "koa-shop", "next-shop/lib"]],
] as const)("shops of one kind share their %s to the byte", ([file, folders]) => {
  const texts = folders.map((folder) => readFileSync(join(examples, folder, file), "utf8"));
  expect(new Set(texts).size).toBe(1);
});
