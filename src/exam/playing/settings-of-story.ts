import type { AssumptionOverrides } from "../../service/assumption-table.ts";
import type { SimulatorOptions } from "../../simulator/payment-service.ts";
import type { ReadOptions } from "../read-options.ts";
import { beginningOf } from "../story.ts";
import type { Story } from "../story.ts";

/** @param shop the origin of the merchant's app */
export function settingsOf(
  { seed, replay, webhookPath, assumptions }: ReadOptions,
  story: Story,
  shop: string,
): SimulatorOptions {
  const begins = beginningOf(story);
  return {
    seed,
    ...(begins === undefined ? {} : { now: begins }),
    // Recording takes time, so a story is recorded only when it is replayed.
    recording: replay !== undefined,
    receiverTimeout: 60_000,
    ...(webhookPath === undefined ? {} : { webhookUrl: shop + webhookPath }),
    assumptions: Object.assign(
      {},
      ...story.troubles.map(({ trouble }) => trouble.assumptions),
      assumptions,
    ) as AssumptionOverrides,
  };
}
