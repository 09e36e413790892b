import type { Client } from "../client/client.ts";
import type { Customer } from "../simulator/customer.ts";
import type { Clock } from "../engine/clock.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Expect } from "./expectation.ts";
import type { MerchantSetup } from "./ways.ts";

/** What a story plays with. */
export interface Stage {
  readonly sim: Simulator;
  /** A client of the service with the first merchant's credentials and the admin key. */
  readonly client: Client;
  /** The human at the hosted pages: `sim.customer`. */
  readonly customer: Customer;
  /** The virtual clock: `sim.clock`. */
  readonly clock: Clock;
  readonly expect: Expect;
  /** What a merchant's own code is configured with to reach the service in this run. */
  readonly merchant: MerchantSetup;
  /** Says what comes next, as a heading in the story's timeline. */
  readonly step: (text: string) => void;
  /** Adds a line to the story's timeline, such as what the merchant's app logs. It is no part of the journal's digest. */
  readonly note: (who: string, what: string) => void;
  /** Runs when the story has ended, however it did; the last one added runs first. */
  readonly defer: (cleanup: () => Promise<void> | void) => void;
}
