import { DatabaseSync } from "node:sqlite";
import { runInThisContext } from "node:vm";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { startMerchant } from "centavo/testing";
import type { MerchantOpening, StoreAdapter } from "centavo/testing";
import express from "express";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { nextMacrotask } from "../../src/kit/base/runtime/real-time.ts";
import { openSmallShop } from "../exam/small-shop.ts";
import type { Orders } from "../exam/small-shop.ts";

const SHOP = "https://shop.example";
const order = { id: "order-1", method: "pm_card_approved" };

afterEach(() => void vi.useRealTimers());

function newSim() {
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks`, clock: "manual" });
  onTestFinished(() => sim.close());
  return sim;
}

/** A shop whose process can be ended before or after its calls. */
async function openShop() {
  const sim = newSim();
  const at: { before?: string; after?: string } = {};
  const shop = await startMerchant<Orders>(sim, SHOP, {
    open: (opening) => {
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const { pathname } = new URL(input as string);
        const isAt = (path: string | undefined) => path !== undefined && pathname.endsWith(path);
        if (isAt(at.before)) shop.kill();
        const answer = await opening.fetch(input, init);
        if (isAt(at.after)) shop.kill();
        return answer;
      };
      return openSmallShop({ ...opening, fetch } as never, "checks no stamp");
    },
  });
  const place = () => sim.visit("POST", "/orders", order);
  return { sim, shop, at, place };
}

describe("the end of a merchant's process", () => {
  test.for(["before", "after"] as const)(
    "breaks its answers off %s a call, and an order that is placed again is paid once",
    async (when) => {
      const { sim, shop, at, place } = await openShop();
      at[when] = "/confirm";
      await expect(place()).rejects.toThrow();
      expect(shop.isRunning).toBe(false);
      expect(shop.store.get("order-1")).toMatchObject({ status: "pending", intent: sim.intents.list()[0]?.id });

      delete at[when];
      await shop.start();
      await place();
      await sim.clock.advance("1 minute");
      expect(shop.store.get("order-1")).toMatchObject({ status: "paid", fulfilments: 1 });
      expect(sim.intents.list()).toMatchObject([{ status: "succeeded" }]);
    },
  );

  test("lets the service try again to deliver what came while it was down", async () => {
    const { sim, shop, place } = await openShop();
    await place();
    shop.kill();
    await sim.clock.advance("2 seconds");
    expect(sim.webhooks.attempts().map(({ answer }) => answer.kind === "failed" && answer.reason)).toContain("reset");
    expect(sim.webhooks.attempts().filter(({ delivered }) => delivered)).toEqual([]);
    await expect(sim.visit("/orders")).rejects.toThrow();
    await shop.start();
    await sim.clock.advance("1 hour");
    expect(sim.webhooks.failures()).toEqual([]);
    expect(shop.store.get("order-1")).toMatchObject({ status: "paid", fulfilments: 1 });
  });

  test("lets none of its calls through", async () => {
    const sim = newSim();
    const [held, calls] = [Promise.withResolvers<void>(), { made: 0, answered: 0 }];
    const shop = await startMerchant(sim, SHOP, {
      open:
        ({ fetch }) =>
        async () => {
          await held.promise;
          calls.made += 1;
          await fetch("/api/payment-intent", { method: "POST" });
          calls.answered += 1;
          return new Response();
        },
    });
    const visited = sim.visit("/orders").catch(() => "no answer");
    await nextMacrotask();
    shop.kill();
    expect(await visited).toBe("no answer");
    const before = sim.journal.digest();
    held.resolve();
    await nextMacrotask();
    expect(calls).toEqual({ made: 1, answered: 0 });
    expect(sim.journal.digest()).toBe(before);
  });

  test("lets no call of any client through where the process is intercepted with its fetch, but those of the test itself", async () => {
    const sim = newSim();
    const held = Promise.withResolvers<void>();
    const shop = await startMerchant(sim, SHOP, {
      open: () => async () => {
        await held.promise;
        return fetch(`${sim.baseUrl}/api/payment-intent`, { method: "POST" });
      },
    });
    using _network = intercept({ baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: shop.fetch });
    const visited = sim.visit("/orders").catch(() => "no answer");
    await nextMacrotask();
    shop.kill();
    expect(await visited).toBe("no answer");
    const before = sim.journal.digest();
    held.resolve();
    for (let turns = 0; turns < 20; turns += 1) await nextMacrotask();
    expect(sim.journal.digest()).toBe(before);
    const ofTheTest = await fetch(`${sim.baseUrl}/api/payment-intent`, { method: "POST" });
    expect(ofTheTest.status).toBe(401);
    await shop.start();
    expect((await sim.visit("/orders")).status).toBe(401);
  });

  test.for(["before", "after"])(
    "ends its timers, with fake timers that were installed %s another merchant",
    async (when) => {
      if (when === "before") vi.useFakeTimers();
      await startMerchant(newSim(), SHOP, { open: () => () => new Response() });
      if (when === "after") vi.useFakeTimers();
      const rung: string[] = [];
      const sim = newSim();
      const shop = await startMerchant(sim, SHOP, {
        open: () => {
          setTimeout(() => rung.push("timeout"), 1000);
          const interval = setInterval(() => rung.push("interval"), 600);
          AbortSignal.timeout(1000).addEventListener("abort", () => rung.push("signal"));
          const cleared = setTimeout(() => rung.push("cleared"), 1000);
          clearTimeout(cleared);
          return () => {
            clearInterval(interval);
            setTimeout((word: string) => rung.push(word), 1000, "late");
            return new Response();
          };
        },
      });
      let others = 0;
      setTimeout(() => (others += 1), 5000);
      vi.advanceTimersByTime(1000);
      expect(rung.splice(0).toSorted()).toEqual(["interval", "signal", "timeout"]);
      await sim.visit("/");
      vi.advanceTimersByTime(999);
      shop.kill();
      vi.advanceTimersByTime(10_000);
      expect(rung).toEqual([]);
      expect(others).toBe(1);
      await shop.start();
      await sim.visit("/");
      vi.advanceTimersByTime(1000);
      expect(rung).toContain("late");
      await shop.close();
    },
  );

  test("clears no timer again that the program has cleared itself", async () => {
    const clear = vi.spyOn(globalThis, "clearTimeout");
    onTestFinished(() => clear.mockRestore());
    let [cleared, left]: unknown[] = [];
    const shop = await startMerchant(newSim(), SHOP, {
      open: () => {
        cleared = setTimeout(() => undefined, 60_000);
        left = setTimeout(() => undefined, 60_000);
        clearTimeout(cleared as NodeJS.Timeout);
        return () => new Response();
      },
    });
    expect(clear.mock.calls).toContainEqual([cleared]);
    clear.mockClear();
    shop.kill();
    expect(clear.mock.calls.map(([timer]) => timer === left)).toEqual([true]);
    await shop.close();
  });

  test("leaves the timer alone that all connections of undici share", async () => {
    vi.useFakeTimers();
    const refreshTimeout = runInThisContext("(function refreshTimeout(onTick) { setTimeout(onTick, 1000); })", {
      filename: "/node_modules/undici/lib/util/timers.js",
    }) as (onTick: () => void) => void;
    let ticks = 0;
    const onTick = () => (ticks += 1);
    const shop = await startMerchant(newSim(), SHOP, {
      open: () => {
        refreshTimeout(onTick);
        return () => new Response();
      },
    });
    shop.kill();
    vi.advanceTimersByTime(1000);
    expect(ticks).toBe(1);
    await shop.close();
  });

  test("keeps what it wrote and nothing that it still writes", async () => {
    const sim = newSim();
    let last: Map<string, unknown> | undefined;
    const shop = await startMerchant(sim, SHOP, {
      store: new Map<string, unknown>([["stock", 3]]),
      open: ({ store }) => {
        last = store;
        return () => {
          store.set("stock", Number(store.get("stock")) - 1);
          return new Response();
        };
      },
    });
    await sim.visit("/");
    shop.kill();
    last?.set("stock", -100);
    await shop.start();
    await sim.visit("/");
    expect(shop.store).toEqual(new Map([["stock", 1]]));
  });

  test("undoes the transaction of a database that was open", async () => {
    const sim = newSim();
    const held = Promise.withResolvers<void>();
    const sqlite: StoreAdapter<DatabaseSync> = {
      open: () => {
        const database = new DatabaseSync(":memory:");
        database.exec("create table orders (id text primary key)");
        return database;
      },
      isWrite: ({ method }) => method === "exec" || method === "run",
      rollBack: (database) => void (database.isTransaction && database.exec("rollback")),
      close: (database) => database.close(),
    };
    const shop = await startMerchant(sim, SHOP, {
      store: sqlite,
      open:
        ({ store }) =>
        async (request: Request) => {
          if (request.method === "GET") return Response.json(store.prepare("select id from orders").all());
          store.exec("begin");
          store.exec("insert into orders values ('order-1')");
          await held.promise;
          store.exec("commit");
          return new Response();
        },
    });
    const visited = sim.visit("POST", "/orders").catch(() => "no answer");
    await nextMacrotask();
    shop.kill();
    held.resolve();
    expect(await visited).toBe("no answer");
    await shop.start();
    expect(await (await sim.visit("/orders")).json()).toEqual([]);
    await shop.close();
  });

  test("leaves it to the next start to tell that the database could not undo what was open", async () => {
    const sim = newSim();
    const full = [new Error("the disk is full")];
    const shop = await startMerchant<object>(sim, SHOP, {
      store: {
        open: () => ({}),
        isWrite: () => true,
        rollBack: () => {
          const error = full.pop();
          if (error !== undefined) throw error;
        },
      },
      open: () => () => new Response("open"),
    });
    shop.kill();
    await expect(shop.start()).rejects.toThrow("the disk is full");
    await shop.start();
    expect(await (await sim.visit("/")).text()).toBe("open");
  });

  test("has no effect with what it still throws", async () => {
    const sim = newSim();
    const held = Promise.withResolvers<void>();
    const shop = await startMerchant(sim, SHOP, {
      open: () => () => {
        void held.promise.then(() => {
          throw new Error("of the dead");
        });
        return new Response();
      },
    });
    await sim.visit("/");
    shop.kill();
    held.resolve();
    await nextMacrotask();
    await shop.close();
  });

  test("ends an Express app, too", async () => {
    const sim = newSim();
    const held = Promise.withResolvers<void>();
    const shop = await startMerchant<Map<string, number>>(sim, SHOP, {
      open: ({ store }) => {
        const app = express();
        app.post("/orders", async (_, response) => {
          store.set("orders", (store.get("orders") ?? 0) + 1);
          await held.promise;
          response.json({ ok: true });
        });
        return app;
      },
    });
    const visited = sim.visit("POST", "/orders").catch(() => "no answer");
    while (shop.store.get("orders") === undefined) await nextMacrotask();
    shop.kill();
    held.resolve();
    expect(await visited).toBe("no answer");
    await shop.start();
    expect(await (await sim.visit("POST", "/orders")).json()).toEqual({ ok: true });
    expect(shop.store.get("orders")).toBe(2);
  });
});

describe("startMerchant", () => {
  test("may be ended while it starts", async () => {
    const sim = newSim();
    const opening = Promise.withResolvers<void>();
    const shop = await startMerchant(sim, SHOP, {
      open: async ({ store }) => {
        if (store.get("starts") !== undefined) await opening.promise;
        store.set("starts", true);
        return () => new Response("open");
      },
    });
    shop.kill();
    const starting = shop.start();
    await nextMacrotask();
    expect(shop.isRunning).toBe(true);
    await expect(sim.visit("/")).rejects.toThrow();
    shop.kill();
    await starting;
    opening.resolve();
    await nextMacrotask();
    await expect(sim.visit("/")).rejects.toThrow();
    await shop.start();
    expect(await (await sim.visit("/")).text()).toBe("open");
  });

  test("rejects with what open throws, and leaves nothing behind", async () => {
    const { setTimeout: before } = globalThis;
    const broken = () => Promise.reject(new Error("no configuration"));
    await expect(startMerchant(newSim(), SHOP, { open: broken })).rejects.toThrow("no configuration");
    expect(globalThis.setTimeout).toBe(before);
  });

  test.for<[string, () => never, string]>([
    [
      "throws",
      () => {
        throw new Error("no database");
      },
      "no database",
    ],
    ["returns no object", () => undefined as never, "store.open() returned undefined"],
  ])("rejects where the store's open %s, and rolls nothing back", async ([, open, message]) => {
    const rolledBack: unknown[] = [];
    const store: StoreAdapter<object> = {
      open,
      isWrite: () => true,
      rollBack: (database) => rolledBack.push(database),
    };
    await expect(startMerchant(newSim(), SHOP, { store, open: () => () => new Response() })).rejects.toThrow(message);
    expect(rolledBack).toEqual([]);
  });

  test.for(["rollBack", "close"] as const)("puts the timers back where the store's %s rejects", async (refusing) => {
    const { setTimeout: before } = globalThis;
    const called: string[] = [];
    const call = (name: string) => async () => {
      called.push(name);
      if (name === refusing) throw new Error("the disk is full");
    };
    const shop = await startMerchant<object>(newSim(), SHOP, {
      store: { open: () => ({}), isWrite: () => true, rollBack: call("rollBack"), close: call("close") },
      open: () => () => new Response(),
    });
    await expect(shop.close()).rejects.toThrow("the disk is full");
    expect(globalThis.setTimeout).toBe(before);
    expect(new Set(called)).toEqual(new Set(["rollBack", "close"]));
  });

  test("ends with its simulator, and puts back the timers of the process once the last has ended", async () => {
    const { setTimeout: before } = globalThis;
    const [first, second] = [newSim(), newSim()];
    const open = () => () => new Response();
    const shop = await startMerchant(first, SHOP, { open });
    {
      await using other = await startMerchant(second, SHOP, { open });
      await first.close();
      expect(shop.isRunning).toBe(false);
      expect(other.isRunning).toBe(true);
      expect(globalThis.setTimeout).not.toBe(before);
    }
    expect(globalThis.setTimeout).toBe(before);
  });

  test("opens the same shop as an exam does", async () => {
    const open = (opening: MerchantOpening<Orders>) => openSmallShop(opening as never, "checks no stamp");
    const sim = newSim();
    await startMerchant<Orders>(sim, SHOP, { open });
    expect((await sim.visit("POST", "/orders", order)).status).toBe(200);
  });
});
