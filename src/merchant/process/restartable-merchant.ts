import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { everyStep } from "../../kit/base/errors/every-step.ts";
import type { FetchHandler } from "../../kit/receivers/merchant-app.ts";
import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import { takeUnhandled } from "../../kit/base/runtime/unhandled.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { handlerOf } from "./merchant-app.ts";
import { replaceGlobals } from "./merchant-globals.ts";
import { MerchantProcess, fetchOfWhoCalls, takeThrown } from "./merchant-process.ts";
import type { Running } from "./merchant-process.ts";
import type { MerchantOptions, StartedMerchant } from "./start-merchant.ts";
import { Storage } from "./storage.ts";

/** A merchant's program that runs in this process, but can be killed and started as if it had a process of its own. */
export class RestartableMerchant<Store> implements StartedMerchant<Store> {
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
    void this.#storage.part(process);
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
