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
  /** The way to the payment service, with the signature of the global `fetch`. */
  readonly fetch: typeof globalThis.fetch;
  /** What outlives the program: the next start finds what this one has kept. */
  readonly store: Store;
  /** The origin at which the app is connected, for `returnUrl` and `webhookUrl`. */
  readonly url: string;
}

/** The options of `startMerchant`. */
export interface MerchantOptions<Store = Map<string, unknown>> {
  /** Starts the merchant's program and returns its app, as `sim.connect` takes it. Called at each start, with the same store. */
  readonly open: (opening: MerchantOpening<Store>) => MerchantApp | Promise<MerchantApp>;
  /** What outlives the program: plain data, which is copied, or an adapter of a database; a `Map` by default. */
  readonly store?: Store | StoreAdapter<Store>;
}

/** A merchant whose process can end and start again. */
export interface StartedMerchant<Store = Map<string, unknown>> extends AsyncDisposable {
  /** Whether the process runs. */
  readonly isRunning: boolean;
  /** What the merchant has kept so far. */
  readonly store: Store;
  /** The way to the service of whichever process calls, for clients that do not take a `fetch`: `intercept({ baseUrl, authUrl, fetch: shop.fetch })`. Calls of the test itself reach the service, also while no process runs. */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Ends the process at once, as `kill -9` does. Whoever waits for its answer gets a broken connection, and so does whoever calls before it
   * starts again.
   */
  kill(): void;
  /**
   * Starts the process again with the same store. Does nothing while it runs.
   * @throws {CentavoError} `INVALID_STATE` after `close`; and what `open` throws
   */
  start(): Promise<void>;
  /** Ends the process and its store for good. The end of the simulator does so, too. */
  close(): Promise<void>;
}

/**
 * Connects a merchant whose process can end in the middle of things, and start again with the same store. What a process that has ended still
 * tries reaches nobody: its calls to the service and to its store, its timers, its late answers, and what it throws. Async context tells
 * which process does something, so that needs no care of the merchant's.
 *
 * @param sim the simulator that the app is connected to
 * @param origin where the app is, as `sim.connect` takes it
 * @throws {CentavoError} `INVALID_OPTION` for an unknown or invalid option and for a store that cannot be copied, `INVALID_URL` for an origin
 *   that is none, and what `open` throws
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
      throw new CentavoError("INVALID_STATE", "startMerchant: this merchant was closed for good. Start another one.");
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
        // Node tells of a rejection only after the turn in which it happened.
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
