import type { Expect, Scenario } from "centavo/scenario";
import type { SimulatedOptions } from "centavo/testing";
import { expect } from "vitest";
import type { Suite } from "./in-process.ts";

/** Returns the test that plays a story, as a team would write it around `scenario`. */
export function testOfScenario({ script }: Scenario): Suite[string] {
  return async ({ sim, client, network }) => {
    const { clientId, clientSecret, webhookSecret } = sim.credentials;
    const { baseUrl, authUrl, fetch } = network;
    const cleanups: (() => Promise<void> | void)[] = [];
    try {
      await script({
        sim,
        client,
        customer: sim.customer,
        clock: sim.clock,
        expect: expect as Expect,
        merchant: { baseUrl, authUrl, clientId, clientSecret, webhookSecret, fetch },
        step: () => undefined,
        note: () => undefined,
        defer: (cleanup) => void cleanups.push(cleanup),
      });
    } finally {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    }
  };
}

/** Returns the options of `simulated` that a story asks for. */
export function optionsOfStory({ options }: Scenario): SimulatedOptions {
  const { unusedFaults: _, ...own } = options;
  return own;
}
