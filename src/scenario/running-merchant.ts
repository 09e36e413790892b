import { AsyncLocalStorage } from "node:async_hooks";
import { listen } from "../adapters/listen.ts";
import { answeringFor } from "../adapters/server.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { IssuedToken, SimulatorOptions } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { ScenarioOptions } from "./scenario.ts";
import type { OpenWay } from "./ways.ts";

/** How long it may take to answer unless a story says so, in milliseconds of real time: a server of a developer starts slowly. */
const PATIENCE = 10_000;

/** A merchant that runs already, in another process, and how it reaches the service. */
export interface RunningMerchant {
  /** Its origin, such as `http://localhost:3000`. */
  readonly url: string;
  /** Where the service listens. */
  readonly port: number;
  readonly hostname: string;
  /** The base URL that the merchant calls. */
  readonly baseUrl: string;
  readonly credentials: NonNullable<SimulatorOptions["credentials"]>;
  /** The path of its webhook handler, for resources without a `webhookUrl`; by default that of the story's. */
  readonly webhookPath?: string | undefined;
  /** Access tokens of earlier stories, because the merchant may keep one. */
  readonly tokens: readonly IssuedToken[];
}

/** What a story and the merchant had to do with each other. */
export interface MerchantContact {
  /** How many calls of the merchant the service has answered. */
  readonly calls: number;
  /** The origins at which the story has connected an app, for which the merchant stood. */
  readonly replaced: readonly string[];
  readonly tokens: readonly IssuedToken[];
}

/** The way of a merchant to the service. */
export interface MerchantWay extends OpenWay {
  /** Runs the story's own code, whose calls do not count as calls of the merchant. */
  readonly run: <Result>(script: () => Result) => Result;
  readonly contact: () => MerchantContact;
}

/**
 * Returns the simulator options of a story that a running merchant plays in: its addresses and credentials are those that it is configured
 * with.
 * @throws {CentavoError} `INVALID_OPTION` for a story that no other process can play in
 */
export function optionsWith(merchant: RunningMerchant, options: ScenarioOptions & SimulatorOptions): SimulatorOptions {
  if (options.timers === true)
    throw new CentavoError(
      "INVALID_OPTION",
      "This story has the option timers: true, and no clock moves the timers of a merchant in another process. Play it without --merchant.",
    );
  const { url, baseUrl, credentials, webhookPath } = merchant;
  const own = options.webhookUrl === undefined ? undefined : new URL(options.webhookUrl).pathname;
  const path = webhookPath ?? own;
  return {
    receiverTimeout: PATIENCE,
    ...options,
    baseUrl,
    authUrl: baseUrl,
    credentials,
    ...(path !== undefined && { webhookUrl: new URL(path, url).href }),
  };
}

/** Opens the service at the address that a merchant is configured with, and sends to the merchant what is for the apps of the story. */
export async function openMerchantWay(sim: Simulator, merchant: RunningMerchant): Promise<MerchantWay> {
  const { url, port, hostname, baseUrl, tokens } = merchant;
  const elsewhere = sim.internals.connections.moveTo(url);
  sim.keepTokens(tokens);
  const ofStory = new AsyncLocalStorage<true>();
  const answering = answeringFor(sim);
  let calls = 0;
  const listening = await listen(
    {
      answer: async (request) => {
        // A call of this process is answered in the context of its caller.
        if (ofStory.getStore() === undefined) calls += 1;
        return answering.answer(request);
      },
      refuse: answering.refuse,
    },
    { port, hostname },
  );
  const { clientId, clientSecret, webhookSecret } = sim.credentials;
  return {
    merchant: { baseUrl, authUrl: baseUrl, clientId, clientSecret, webhookSecret },
    close: () => listening.close(),
    run: (script) => ofStory.run(true, script),
    contact: () => ({ calls, replaced: elsewhere.replaced, tokens: sim.internals.parts.auth.issuedTokens() }),
  };
}
