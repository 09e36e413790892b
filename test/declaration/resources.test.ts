import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { readersIn } from "../../src/kit/declaration/views.ts";
import { defineService, routesIn } from "../../src/kit/declaration/define-service.ts";
import type { CentavoError } from "../../src/kit/base/errors/centavo-error.ts";
import type { Checkout } from "../../src/service/checkout/commands.ts";
import { checkout } from "../../src/service/checkout/resource.ts";
import { checkoutRoutes } from "../../src/service/checkout/routes.ts";
import { paymentIntents } from "../../src/service/payment-intents/resource.ts";
import { paymentIntentRoutes } from "../../src/service/payment-intents/routes.ts";
import { paymentMethods } from "../../src/service/payment-methods/resource.ts";
import { defineResource } from "../../src/service/resource.ts";
import { paymentService } from "../../src/service/service.ts";
import { everyActOn, kitActs } from "../../src/simulator/acts.ts";

describe("a resource", () => {
  test("mounts the routes on its own commands, and on no others", () => {
    const { name, lifecycles, open, tags, view } = checkout;
    const declared = { name, lifecycles, open, tags, view };
    defineResource<Checkout>()({ ...declared, routes: checkoutRoutes });
    // @ts-expect-error -- these routes call the commands of payment intents
    const mismatched = defineResource<Checkout>()({ ...declared, routes: paymentIntentRoutes });
    expect(mismatched.routes).toBe(paymentIntentRoutes);
  });

  test("is opened as what it declares, and as nothing else", () => {
    // @ts-expect-error -- payment intents are opened here, and the routes call checkout sessions
    const mismatched = defineResource<Checkout>()({ ...checkout, open: paymentIntents.open });
    expect(mismatched.open).toBe(paymentIntents.open);
  });

  test.for([
    ["name", { ...checkout, lifecycles: [], routes: [], tags: {} }, "checkout"],
    ["route", { ...checkout, name: "other", lifecycles: [], tags: {} }, "checkout.create"],
    ["lifecycle", { ...checkout, name: "other", routes: [], tags: {} }, "checkout"],
    ["tag", { ...checkout, name: "other", lifecycles: [], routes: [] }, "checkout"],
    ["event", { ...checkout, name: "other", lifecycles: [], routes: [], tags: {} }, "checkout.processing"],
    ["act", { ...paymentMethods, name: "other" }, "mint"],
  ] as const)("shares its %s with no other", ([kind, twin, name]) => {
    const resources = [...paymentService.resources, twin];
    const problem = `defineService: two resources declare the ${kind} "${name}".`;
    expect(() => defineService({ ...paymentService, resources })).toThrow(problem satisfies CentavoError["message"]);
  });

  test("has no act that every service has", () => {
    const { redeliver } = kitActs;
    expect(() => everyActOn({ resources: [{ ...paymentMethods, acts: { redeliver } }] })).toThrow(
      'A resource declares the act "redeliver", which every service already has.' satisfies CentavoError["message"],
    );
  });

  test("has a tag for every first part of its routes' names, and no other", () => {
    for (const { routes, tags } of paymentService.resources) {
      const used = new Set(routes.map(({ name }) => name.slice(0, name.indexOf("."))));
      expect(Object.keys(tags).toSorted()).toEqual([...used].toSorted());
    }
  });

  test("names its events in its schema and in what it announces alike", () => {
    for (const { events } of paymentService.resources)
      if (events !== undefined) expect(events.schema.shape["type"]).toMatchObject({ options: events.announced });
  });

  test("has a reader on the simulator for each of its views", () => {
    const sim = createSimulator();
    const views = Object.keys(readersIn(paymentService.resources)(sim.internals.parts));
    expect(views).toContain("checkouts");
    expect(views.filter((name) => typeof Reflect.get(Reflect.get(sim, name) ?? {}, "list") !== "function")).toEqual([]);
  });
});

test("no fact goes to a merchant unless its resource announces it", async () => {
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
  const announced = paymentService.resources.flatMap(({ events }) => events?.announced ?? []);
  const { clientId, clientSecret } = sim.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const { access_token } = (await (await sim.fetch("/oauth", { method: "POST", body })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  await sim.fetch("/api/payment-intent", { method: "POST", headers, body: JSON.stringify({ amount: 10_000 }) });
  const facts = sim.journal.entries.filter(({ kind }) => kind === "fact").map(({ details }) => details["type"]);
  expect(facts).toEqual(["payment_intent.created"]);
  expect(announced).not.toContain("payment_intent.created");
  expect(sim.webhooks.events()).toEqual([]);
});

test("every route of the service is in the list once", () => {
  const names = routesIn(paymentService).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
