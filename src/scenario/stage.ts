import type { Client } from "../client/calls.ts";
import type { Customer } from "../simulator/customer.ts";
import type { Clock } from "../kit/engine/clock.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Expect } from "./expectation.ts";
import type { MerchantSetup } from "./ways.ts";

/** What a story's script gets to work with. */
export interface Stage {
  readonly sim: Simulator;
  /** A client of the service with the first merchant's credentials and the admin key. */
  readonly client: Client;
  /** The customer at the hosted pages: `sim.customer`. */
  readonly customer: Customer;
  /** The virtual clock: `sim.clock`. */
  readonly clock: Clock;
  readonly expect: Expect;
  /** How a merchant's own code reaches the service in this run. */
  readonly merchant: MerchantSetup;
  /**
   * Where the merchant runs, such as `http://localhost:3000`, if it is another process (`centavo run --merchant`). Paths of `sim.visit`
   * then lead there, and no app of this process is called. Absent in every other run.
   */
  readonly merchantUrl?: string;
  /** Adds a heading to the story's timeline. */
  readonly step: (text: string) => void;
  /** Adds a line to the story's timeline, such as a log line of the merchant's app. The journal's digest ignores it. */
  readonly note: (who: string, what: string) => void;
  /** Adds a cleanup that runs when the story ends, whether it passed or failed. The last one added runs first. */
  readonly defer: (cleanup: () => Promise<void> | void) => void;
}
