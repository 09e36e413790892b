import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { MerchantApp } from "../../kit/receivers/merchant-app.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { StoreAdapter } from "./store.ts";

/** What a merchant's program gets when it starts. */
export interface MerchantOpening<Store = Map<string, unknown>> {
  /** The payment service: its `baseUrl`, `authUrl` and `credentials`. */
  readonly sim: Simulator;
  /** Calls the payment service, with the signature of the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** What outlives the program: the next start finds what earlier ones stored. */
  readonly store: Store;
  /** The origin at which the app is connected, for `returnUrl` and `webhookUrl`. */
  readonly url: string;
}

/** The options of `startMerchant`. */
export interface MerchantOptions<Store = Map<string, unknown>> {
  /** Starts the merchant's program and returns its app, as `sim.connect` takes it. Called at each start, with the same store. */
  readonly open: (opening: MerchantOpening<Store>) => MerchantApp | Promise<MerchantApp>;
  /** What outlives the program: plain data, which is copied, or a database adapter. An empty `Map` by default. */
  readonly store?: Store | StoreAdapter<Store>;
}

/** A merchant whose process you can kill and restart. */
export interface StartedMerchant<Store = Map<string, unknown>> extends AsyncDisposable {
  /** Whether the process is running. */
  readonly isRunning: boolean;
  /** What the merchant has stored so far. */
  readonly store: Store;
  /** Calls the service for the process that makes the call. For clients that take no `fetch`: `intercept({ baseUrl, authUrl, fetch: shop.fetch })`. The test's own calls always reach the service, even while no process runs. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Ends the process at once, as `kill -9` does. Callers that wait for an answer, or call before the next start, get a broken connection.
   */
  kill(): void;
  /**
   * Restarts the process with the same store. Does nothing while it is running.
   * @throws {CentavoError} `INVALID_STATE` after `close`; and whatever `open` throws
   */
  start(): Promise<void>;
  /** Ends the process and its store for good. Closing the simulator also does this. */
  close(): Promise<void>;
}

/**
 * Connects a merchant whose process can end in the middle of its work, and start again with the same store. Nothing that a killed process still
 * does has an effect: its calls to the service and to its store, its timers, its late answers and its errors are dropped. Async context tells which
 * process runs, so the merchant's code needs no change.
 *
 * @param sim the simulator that the app is connected to
 * @param origin the origin of the app, as `sim.connect` takes it
 * @throws {CentavoError} `INVALID_OPTION` for an unknown or invalid option and for a store that cannot be copied, `INVALID_URL` for an invalid
 *   origin, and what `open` throws
 *
 * @example
 * const shop = await startMerchant(sim, "https://shop.example", {
 *   open: ({ fetch, store, url }) => createShop({ fetch, store, url }),
 * });
 * const order = sim.visit("POST", "/orders", { id: "order-1" }).catch(() => "no answer");
 * shop.kill();
 * await shop.start();
 * await sim.visit("POST", "/orders", { id: "order-1" });
 */
export async function startMerchant<Store = Map<string, unknown>>(
  sim: Simulator,
  origin: string,
  options: MerchantOptions<Store>,
): Promise<StartedMerchant<Store>> {
  refuseUnknownOptions("startMerchant", options, ["open", "store"]);
  if (typeof options.open !== "function")
    throw new CentavoError(
      "INVALID_OPTION",
      `startMerchant: the option open is ${inWords(options.open)}. It takes a function that starts the merchant's program and returns its app.`,
    );
  // Loaded here, because few tests start a merchant.
  const { RestartableMerchant } = await import("./restartable-merchant.ts");
  const merchant = new RestartableMerchant(sim, origin, options);
  try {
    await merchant.begin();
  } catch (error) {
    await merchant.close();
    throw error;
  }
  return merchant;
}
