import { AutoDriver } from "../kit/engine/auto-driver.ts";
import type { Driver } from "../kit/engine/driver.ts";
import { RealDriver } from "../kit/engine/real-driver.ts";
import type { Settings } from "./simulator-options.ts";

/** Makes what moves the clock of a simulator between the calls of the test; undefined when nothing does. */
export function driverOf({ horizon, factor }: Settings): Driver | undefined {
  if (factor !== undefined) return new RealDriver(factor);
  return horizon === undefined ? undefined : new AutoDriver(horizon);
}
