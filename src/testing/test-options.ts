import { refuseUnknownOptions } from "../errors/unknown-options.ts";
import { SIMULATOR_OPTIONS } from "../simulator/options.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { TestOptions } from "./test-session.ts";

/** Every option of a simulated test. The compiler asks for those that are missing. */
const OF_THE_TEST: Readonly<Record<Exclude<keyof TestOptions, keyof SimulatorOptions>, true>> = {
  network: true,
  allow: true,
  fakeDate: true,
  keepTokens: true,
  failOnSwallowedErrors: true,
  recordings: true,
};

/** @throws {CentavoError} `INVALID_OPTION` */
export function checkTestOptions(call: string, options: unknown, own: readonly string[] = []): void {
  refuseUnknownOptions(call, options, [...own, ...Object.keys(OF_THE_TEST), ...SIMULATOR_OPTIONS]);
}
