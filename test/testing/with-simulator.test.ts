import { withSimulator } from "centavo/vitest";
import type { Client } from "centavo/client";
import type { Simulator } from "centavo";
import { shopThatKeepsItsToken } from "./a-shop-that-lives-on.ts";
import { afterAll, describe, expect, expectTypeOf, test as base } from "vitest";

const started = Date.now();
const seen: { readonly id: string; readonly sim: Simulator }[] = [];
const test = withSimulator(base);

describe("withSimulator", () => {
  test("gives each part when a test names it", async ({ sim, client, customer, visit }) => {
    expectTypeOf(client).toEqualTypeOf<Client>();
    sim.connect("https://shop.example", () => new Response("here"));
    expect(await (await visit("/")).text()).toBe("here");
    expect(customer).toBe(sim.customer);
    seen.push({ id: (await client.paymentIntents.create({ amount: 10000 })).id, sim });
  });

  test("gives another test a world with other ids and the same credentials", async ({ sim, client }) => {
    const [first] = seen;
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    expect(id).not.toBe(first?.id);
    expect(sim.credentials).toEqual(first?.sim.credentials);
  });

  test("has the same ids in every run", async ({ client }) => {
    expect((await client.paymentIntents.create({ amount: 10000 })).id).toMatchInlineSnapshot(
      `"pi_n7Nl8QvuUI8KfBXZ9j9yFake"`,
    );
  });

  test("intercepts once a test names the network", async ({ sim, network }) => {
    expect(network).toMatchObject({ kind: "intercept", baseUrl: sim.baseUrl });
    expect((await fetch(`${sim.baseUrl}/api/transactions`)).status).toBe(401);
  });

  test("has closed the network of the test before", async ({ sim }) => {
    expect(globalThis.fetch.name).toBe("fetch");
    expect(Object.getOwnPropertyDescriptor(globalThis, "fetch")).toEqual(nativeFetch);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  });

  test("lets Date follow the virtual clock", async ({ sim }) => {
    await sim.clock.advance("1 year");
    expect(new Date().toISOString()).toBe("2027-01-01T00:00:00.000Z");
  });

  withSimulator(base, { timers: true })("lets timers follow it, too", async ({ sim }) => {
    let runs = 0;
    setInterval(() => (runs += 1), 3_600_000);
    await sim.clock.advance("1 day");
    expect(runs).toBe(24);
  });

  base("leaves Date as it was", () => {
    expect(Date.now()).toBeGreaterThanOrEqual(started);
  });
});

const nativeFetch = Object.getOwnPropertyDescriptor(globalThis, "fetch");

describe.concurrent("concurrent tests", () => {
  for (const name of ["one", "two", "three"]) {
    test(`have a world each and the real Date: ${name}`, async ({ sim, client }) => {
      await sim.clock.advance("1 year");
      await client.paymentIntents.create({ amount: 10000 });
      expect(sim.intents.list()).toHaveLength(1);
      expect(Date.now()).toBeGreaterThanOrEqual(started);
    });
  }
});

describe("keepTokens", () => {
  const living = withSimulator(base, { keepTokens: true });
  const shop = shopThatKeepsItsToken();

  for (const time of ["first", "second", "third"]) {
    living(`lets a shop keep its token: ${time} test`, async ({ sim }) => {
      expect((await shop.transactions(sim)).status).toBe(200);
    });
  }

  afterAll(() => expect(shop.logins).toBe(1));
});

test("refuses an option that does not exist, and is an error of types for it", () => {
  // @ts-expect-error the option is keepTokens
  expect(() => withSimulator(base, { keepToken: true })).toThrow('The nearest is "keepTokens"');
});
