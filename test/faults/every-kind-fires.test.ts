import type { Fault } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { faultFamilies } from "../../src/service/faults.ts";
import { fieldsOfKind } from "../fuzz/random-faults.ts";
import { waitingIntent } from "./waiting-intent.ts";

const kinds = faultFamilies({ routes: [] }, []).flatMap((family) => family.kinds.map(({ kind }) => kind));

/** Pays once, so that there is an occasion for every family of faults: a call, a charge, events, deliveries, stamps. */
async function hitsOnPaying(fault: Fault): Promise<number> {
  const { sim, confirm } = await waitingIntent({ webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", () => new Response());
  const added = sim.faults.add(fault);
  // What a fault holds back, or never answers, ends with the simulator.
  const call = confirm().catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  await sim.clock.advance("4 days");
  await sim.close();
  await call;
  return added.hits;
}

test.for(kinds)("%s fires when a payment is made and its events are delivered", async (kind) => {
  const [fields] = fc.sample(fieldsOfKind[kind], { numRuns: 1, seed: 1 });
  expect(await hitsOnPaying({ kind, ...fields } as Fault)).toBeGreaterThan(0);
});
