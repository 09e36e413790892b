import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";
import { paymentMethods } from "../../src/service/payment-methods/resource.ts";
import { fieldsOf } from "../fuzz/random-faults.ts";
import { waitingIntent } from "./waiting-intent.ts";

const root = join(import.meta.dirname, "../..");

/** The kinds that need more than a payment, with the resource that declares them. */
const others = paymentService.resources
  .filter(({ name }) => name !== paymentMethods.name)
  .flatMap(({ name, faults = [] }) => faults.flatMap(({ kinds }) => kinds.map(({ kind }) => ({ name, kind }))));
const kinds = paymentService.knownFaults.kinds
  .map(({ kind }) => kind)
  .filter((kind) => !others.some((other) => other.kind === kind));

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
  const [fields] = fc.sample(fieldsOf(kind), { numRuns: 1, seed: 1 });
  expect(await hitsOnPaying({ kind, ...fields } as Fault)).toBeGreaterThan(0);
});

test("a kind that needs more than a payment is planned in the tests of its resource", () => {
  const planned = ({ name, kind }: (typeof others)[number]): boolean =>
    globSync(`test/${name}/**/*.test.ts`, { cwd: root }).some((path) =>
      readFileSync(join(root, path), "utf8").includes(`kind: "${kind}"`),
    );
  expect(others.filter((other) => !planned(other))).toEqual([]);
});
