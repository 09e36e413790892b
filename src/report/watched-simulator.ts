import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createSimulator as create } from "./create-simulator.ts";

/** What `import "centavo/shake"` does with each simulator that a test creates itself. */
export interface SimulatorWatch {
  /**
   * @param create creates the simulator
   * @returns the simulator
   */
  create(options: SimulatorOptions, create: (options: SimulatorOptions) => Simulator): Simulator;
}

/** Where a set-up file leaves the watch on the global object, for every copy of Centavo in this process. */
export const WATCH = Symbol.for("centavo.simulator-watch");

/**
 * Creates a payment service that runs inside the test.
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` for `timers: true` when timers or `Date` are already faked, `INVALID_OPTION` naming the option, `INVALID_ASSUMPTION` naming the assumption, and the file if it is from one
 *
 * @example
 * const sim = createSimulator({ seed: 42, webhookUrl: "https://shop.example/hooks" });
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const watch = Reflect.get(globalThis, WATCH) as SimulatorWatch | undefined;
  return watch === undefined ? create(options) : watch.create(options, create);
}
