import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fixtures } from "centavo/fixtures";
import {
  deliverTwiceAtOnce,
  forgeDelivery,
  hostileDeliveries,
  nextApp,
  nextPagesApi,
  simulated,
  startMerchant,
} from "centavo/testing";
import type { HostileDeliveriesOptions, PlacedOrder } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { vi } from "vitest";
import { Merchant } from "../../merchant.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

const HANDLER = "export function GET() { return new Response(); }";

/** A folder of the App Router with these routes. */
function appOf(routes: readonly string[], handler = HANDLER): string {
  const app = newFolder();
  for (const route of routes) {
    const file = join(app, route, "route.mjs");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, handler);
  }
  return app;
}

const visitNext = (handler: string): Cause => {
  return () => nextApp(appOf(["orders"], handler)).fetch(new Request("https://shop.example/orders"));
};

/** Runs the pack on orders that this function places. */
const placing =
  (order: (merchant: Merchant) => unknown, options: Partial<HostileDeliveriesOptions<PlacedOrder>> = {}): Cause =>
  async () => {
    const merchant = await Merchant.open();
    return hostileDeliveries(merchant.sim, {
      order: async () => (await order(merchant)) as PlacedOrder,
      fulfilments: () => 0,
      ...options,
    });
  };
const placed = async (merchant: Merchant): Promise<PlacedOrder> => ({
  intentId: await merchant.pay({}, "pm_card_challenge"),
});

async function withoutModule(name: string, act: () => unknown): Promise<void> {
  vi.doMock(name, () => {
    throw new SyntaxError("Cannot use import statement outside a module");
  });
  try {
    await act();
  } finally {
    vi.doUnmock(name);
  }
}

const quiet = { fakeDate: false, recordings: false } as const;

/** What goes wrong with the helpers for tests. */
export const testingCauses: Causes = {
  INTERCEPTION_CONFLICT: {
    "simulated: two tests at once that both fake Date": simulated(
      { name: "first", recordings: false },
      async ({ sim }) => {
        sim.clock.now();
        await simulated({ name: "second", recordings: false }, (other) => other.sim.clock.now())();
      },
    ),
  },
  INTERCEPTION_REFUSED: {
    "simulated: interception where it cannot be loaded": () =>
      withoutModule(
        "centavo/node",
        simulated({ ...quiet, name: "intercepts", network: "intercept" }, ({ network }) => network),
      ),
  },
  INVALID_OPTION: {
    "simulated: a report at another time": () => simulated({ report: "on failures" as never }, () => undefined),
    "withSimulator: no test": () => withSimulator({} as never),
    "simulated: timers that neither follow nor do not": () => simulated({ timers: "yes" as never }, () => undefined),
    "simulated: timers that follow without Date": simulated({ ...quiet, timers: true }, ({ sim }) => sim),
    "simulated: an unknown option": () => simulated({ netwrok: "fetch" } as never, () => undefined),
    "simulated: no function": () => simulated({} as never, "test" as never),
    "hostileDeliveries: no orders": (sim) => hostileDeliveries(sim, { fulfilments: () => 0 } as never),
    "simulated: an unknown network": simulated(
      { ...quiet, name: "unknown network", network: "tcp" as never },
      ({ network }) => network,
    ),
    "simulated: a network that the parameter does not name": simulated({ ...quiet, name: "unnamed" }, (parts) =>
      Reflect.get(parts, ["net", "work"].join("")),
    ),
    "hostileDeliveries: a wrong tolerance": placing(placed, { tolerance: -1 }),
    "hostileDeliveries: a tolerance of a month": placing(placed, { tolerance: "1 month" }),
    "hostileDeliveries: fulfilments that are no number": placing(placed, { fulfilments: () => "one" as never }),
    "hostileDeliveries: an order without a payment": placing(() => undefined),
    "hostileDeliveries: an order without a receiver": async (sim) => {
      const merchant = await Merchant.of(sim);
      return hostileDeliveries(sim, {
        order: async () => ({ intentId: await merchant.pay({}, "pm_card_challenge") }),
        fulfilments: () => 0,
      });
    },
    "hostileDeliveries: an order that is paid already": placing(async (merchant) => {
      const intentId = await merchant.pay({}, "pm_card_approved");
      await merchant.sim.clock.settle();
      return { intentId };
    }),
    "hostileDeliveries: an order whose payment is declined": placing(async (merchant) => ({
      intentId: await merchant.pay({}, "pm_card_declined_after_challenge"),
    })),
    "hostileDeliveries: the intent of a checkout session": async () => {
      const merchant = await Merchant.open();
      const { sim } = merchant;
      return hostileDeliveries(sim, {
        order: async () => {
          const { sessionToken } = await merchant.createCheckout();
          await merchant.processCheckout(sessionToken, "pm_card_challenge");
          return { intentId: sim.intents.last()?.id ?? "" };
        },
        fulfilments: ({ intentId }) => (sim.intents.get(intentId)?.status === "succeeded" ? 1 : 0),
      });
    },
    "deliverTwiceAtOnce: an event without a receiver": async (sim) => {
      await fixtures(sim).intent({ status: "succeeded" });
      return deliverTwiceAtOnce(sim, sim.webhooks.events()[0]?.id ?? "");
    },
    "forgeDelivery: an unknown forgery": (sim) =>
      forgeDelivery(sim, { intentId: "pi_1" }, { kind: "unsinged" } as never),
    "forgeDelivery: no forgery": (sim) => forgeDelivery(sim, { intentId: "pi_1" }, undefined as never),
    "forgeDelivery: two things at once": (sim) =>
      forgeDelivery(sim, { intentId: "pi_1", sessionToken: "s" }, { kind: "unsigned" }),
    "forgeDelivery: a payment that is over": async (sim) => {
      const { id } = await fixtures(sim).intent({ status: "failed" });
      return forgeDelivery(sim, { intentId: id }, { kind: "unsigned" });
    },
    "startMerchant: no function that opens it": (sim) => startMerchant(sim, "https://shop.example", {} as never),
    "startMerchant: a store that cannot be copied": (sim) =>
      startMerchant(sim, "https://shop.example", { open: () => () => new Response(), store: new WeakMap() }),
    "nextApp: a folder that is not there": () => nextApp("no-such-folder"),
    "nextApp: a folder without routes": () => nextApp(newFolder()),
    "nextApp: a route that cannot be loaded": visitNext("throw new Error('no database')"),
    "nextApp: a route without handlers": visitNext("export const revalidate = 60;"),
    "nextApp: next/headers of a Next that keeps its request elsewhere": visitNext(
      "export function GET() { throw new Error('`cookies` was called outside a request scope.'); }",
    ),
    "nextApp: what only Next's server has": visitNext(
      "export function GET() { throw new Error('Invariant: incrementalCache missing in unstable_cache'); }",
    ),
    "nextPagesApi: a folder without API routes": () => nextPagesApi(newFolder()),
    "nextPagesApi: a folder beside which Next is not installed": () => {
      const pages = newFolder();
      mkdirSync(join(pages, "api"));
      writeFileSync(join(pages, "api/orders.js"), "export default () => undefined;");
      return nextPagesApi(pages);
    },
    "nextApp: a catch-all in the middle": () => nextApp(appOf(["[...all]/orders"])),
    "nextApp: one part of the path with two names": () => nextApp(appOf(["[id]/orders", "[name]/items"])),
    "nextApp: one path twice": () => nextApp(appOf(["(shop)/orders", "(desk)/orders"])),
  },
  INVALID_STATE: {
    "startMerchant: one that was closed": async (sim) => {
      const shop = await startMerchant(sim, "https://shop.example", { open: () => () => new Response() });
      await shop.close();
      return shop.start();
    },
  },
  NOT_FOUND: {
    "deliverTwiceAtOnce: an unknown event": (sim) => deliverTwiceAtOnce(sim, "evt_1"),
    "forgeDelivery: an unknown payment": (sim) => forgeDelivery(sim, { intentId: "pi_1" }, { kind: "unsigned" }),
  },
  UNEXPECTED_REQUEST: {
    "simulated: a request to another host without interception": simulated(
      { ...quiet, name: "calls another host", network: "fetch", failOnSwallowedErrors: false },
      ({ network }) =>
        network.fetch("https://other.example/rates").catch((error: Error) => {
          throw error.cause;
        }),
    ),
  },
  WORLD_ENDED: {
    "simulated: a connection to its service after the test": async () => {
      const over = Promise.withResolvers<void>();
      const late = Promise.withResolvers<Error>();
      await simulated({ ...quiet, name: "one that polls", network: "intercept" }, ({ network }) => {
        void over.promise.then(() => fetch(network.baseUrl)).catch(({ cause }: Error) => late.resolve(cause as Error));
      })();
      over.resolve();
      throw await late.promise;
    },
    "simulated: a call after the test": async () => {
      let late: typeof fetch | undefined;
      await simulated({ ...quiet, name: "one that has ended", network: "fetch" }, ({ network }) => {
        late = network.fetch;
      })();
      await late?.("https://api.pay.example/api/transactions").catch((error: Error) => {
        throw error.cause;
      });
    },
  },
};
