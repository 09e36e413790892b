import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { ReadOptions } from "../read-options.ts";
import type { Story } from "../story.ts";

/** @param shop the origin of the merchant's app */
export function settingsOf(
  { seed, replay, webhookPath, assumptions }: ReadOptions,
  { troubles }: Story,
  shop: string,
): SimulatorOptions {
  return {
    seed,
    // Recording takes time, so a story is recorded only when it is replayed.
    recording: replay !== undefined,
    receiverTimeout: 60_000,
    ...(webhookPath === undefined ? {} : { webhookUrl: shop + webhookPath }),
    assumptions: Object.assign(
      {},
      ...troubles.map(({ trouble }) => trouble.assumptions),
      assumptions,
    ) as AssumptionOverrides,
  };
}
