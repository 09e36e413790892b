import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { everyStep } from "../../kit/base/errors/every-step.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { FetchHandler, MerchantApp } from "../../kit/receivers/merchant-app.ts";
import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import { takeUnhandled } from "../../kit/base/runtime/unhandled.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { handlerOf } from "./merchant-app.ts";
import { replaceGlobals } from "./merchant-globals.ts";
import { MerchantProcess, fetchOfWhoCalls, takeThrown } from "./merchant-process.ts";
import type { Running } from "./merchant-process.ts";
import { Storage } from "./storage.ts";
import type { StoreAdapter } from "./store.ts";

/** What a merchant's program gets when it starts. */
export interface MerchantOpening<Store = Map<string, unknown>> {
  /** The payment service: its `baseUrl`, `authUrl` and `credentials`. */
  readonly sim: Simulator;
  /** Calls the payment service, with the signature of the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** What outlives the program: the next start finds what this one stored. */
  readonly store: Store;
  /** The origin at which the app is connected, for `returnUrl` and `webhookUrl`. */
  readonly url: string;
}

/** The options of `startMerchant`. */
export interface MerchantOptions<Store = Map<string, unknown>> {
  /** Starts the merchant's program and returns its app, as `sim.connect` takes it. Called at each start, with the same store. */
  readonly open: (opening: MerchantOpening<Store>) => MerchantApp | Promise<MerchantApp>;
  /** What outlives the program: plain data, which is copied, or the adapter of a database. An empty `Map` by default. */
  readonly store?: Store | StoreAdapter<Store>;
}

/** A merchant whose process you can kill and start again. */
export interface StartedMerchant<Store = Map<string, unknown>> extends AsyncDisposable {
  /** Whether the process runs. */
  readonly isRunning: boolean;
  /** What the merchant has stored so far. */
  readonly store: Store;
  /** Calls the service for the process that makes the call. For clients that take no `fetch`: `intercept({ baseUrl, authUrl, fetch: shop.fetch })`. The test's own calls always reach the service, even while no process runs. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Ends the process at once, as `kill -9` does. Callers that wait for an answer, or that call before the next start, get a broken connection.
   */
  kill(): void;
  /**
   * Starts the process again with the same store. Does nothing while it runs.
   * @throws {CentavoError} `INVALID_STATE` after `close`; and what `open` throws
   */
  start(): Promise<void>;
  /** Ends the process and its store for good. Closing the simulator does so, too. */
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
  const merchant = new RestartableMerchant(sim, origin, options);
  try {
    await merchant.begin();
  } catch (error) {
    await merchant.close();
    throw error;
  }
  return merchant;
}

class RestartableMerchant<Store> implements StartedMerchant<Store> {
  readonly #sim: Simulator;
  readonly #origin: string;
  readonly #open: MerchantOptions<Store>["open"];
  readonly #storage: Storage;
  readonly #running: Running = {};
  #handler: FetchHandler | undefined;
  #end: (() => void) | undefined;
  readonly fetch = fetchOfWhoCalls(this.#running, (input, init) => this.#sim.fetch(input, init));

  constructor(sim: Simulator, origin: string, { open, store }: MerchantOptions<Store>) {
    this.#sim = sim;
    this.#origin = origin;
    this.#open = open;
    this.#storage = new Storage("startMerchant", store);
  }

  get isRunning(): boolean {
    return this.#running.process !== undefined;
  }

  get store(): Store {
    return this.#storage.current as Store;
  }

  async begin(): Promise<void> {
    this.#sim.connect(this.#origin, { fetch: (request: Request) => this.#answer(request) });
    const stopTaking = takeUnhandled((error) => takeThrown(error));
    const putBack = replaceGlobals();
    const forget = this.#sim.internals.connections.onClose(() => this.close());
    this.#end = () => everyStep(stopTaking, putBack, forget);
    await this.#storage.begin();
    await this.start();
  }

  async start(): Promise<void> {
    if (this.isRunning) return;
    if (this.#end === undefined)
      throw new CentavoError("INVALID_STATE", "startMerchant: this merchant is closed. Start another one.");
    const process = new MerchantProcess({ fetchOf: () => this.#sim.fetch });
    this.#running.process = process;
    try {
      const opened = process.run({ kind: "open" }, async () => {
        const store = (await this.#storage.for(process, { write: () => () => undefined })) as Store;
        const { fetch } = process;
        return handlerOf(this.#origin, await this.#open({ sim: this.#sim, fetch, store, url: this.#origin }));
      });
      const handler = await Promise.race([opened, process.ended]);
      if (handler !== "ended") this.#handler = handler;
    } catch (error) {
      this.kill();
      throw error;
    }
  }

  kill(): void {
    const { process } = this.#running;
    if (process === undefined) return;
    process.end();
    this.#running.process = undefined;
    this.#handler = undefined;
    this.#storage.part();
  }

  async close(): Promise<void> {
    this.kill();
    const end = this.#end;
    this.#end = undefined;
    if (end === undefined) return;
    try {
      await this.#storage.end();
    } finally {
      try {
        await this.#storage.close();
      } finally {
        // Node reports a rejection only after the turn in which it happened.
        await nextMacrotask();
        end();
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(request: Request): Promise<Response> {
    const { process } = this.#running;
    const handler = this.#handler;
    if (process === undefined || handler === undefined) return Response.error();
    const work = process.run({ kind: "act" }, async () => handler(request));
    const answer = await Promise.race([work, process.ended]);
    return answer === "ended" ? Response.error() : answer;
  }
}
