import type { AssumptionOverrides } from "centavo";
import { createClient } from "centavo/client";
import { runScenario, scenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import { stories } from "../scenarios/stories.ts";
import { connectingBehind, gatewayTo } from "./gateway.ts";
import { sets } from "./sets.ts";

describe.each(Object.entries(sets))("under the %s set of values", (_name, assumptions) => {
  test.for(stories)("the story is the same: %s", async ([, { title, options, script }]) => {
    const under = { ...assumptions, ...(options.assumptions as AssumptionOverrides | undefined) };
    const story = scenario(title, { ...options, assumptions: under }, async (stage) => {
      const { sim, merchant } = stage;
      const gateway = gatewayTo(sim, under);
      await script({
        ...stage,
        sim: connectingBehind(gateway, sim, stage.defer),
        merchant: { ...merchant, fetch: gateway.send },
        client: createClient({ ...sim.credentials, ...merchant, assumptions: under, fetch: gateway.sendCompleted }),
      });
    });
    const { error } = await runScenario(story, { way: "memory", expect });
    expect(error).toBeUndefined();
  });
});
