import { toTimestamp } from "../kit/engine/timestamp.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { WorldOptions } from "./hosted-worlds.ts";

/** Returns the options with which a world of the same kind is opened. */
export function optionsOf({ seed, credentials, internals }: Simulator): WorldOptions {
  const { now, horizon, factor, assumptions, webhookUrl } = internals.settings;
  const { merchantId: _, ...secrets } = credentials;
  return {
    seed,
    now: toTimestamp(now),
    ...(factor !== undefined && { clock: { real: factor } }),
    ...(horizon !== undefined && { clock: { auto: { horizon: { milliseconds: horizon } } } }),
    assumptions,
    credentials: secrets,
    ...(webhookUrl !== undefined && { webhookUrl }),
    faults: [],
  };
}
