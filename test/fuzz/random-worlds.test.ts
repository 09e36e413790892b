import * as fc from "fast-check";
import { expect, test } from "vitest";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { keepsItsPromises } from "./properties.ts";
import { randomScript } from "./random-world.ts";

const SEED = 20_260_101;
const WORLDS = 80;

test(`${WORLDS} random worlds from the seed ${SEED} keep their promises, make every change and announce every event`, async () => {
  const announced = new Set<string>();
  const called = new Set<string>();
  const property = fc.asyncProperty(randomScript, async (script) => {
    const sim = await keepsItsPromises(script);
    for (const { type } of sim.webhooks.events()) announced.add(type);
    for (const { kind, details } of sim.journal.entries)
      if (kind === "request" && "route" in details) called.add(details.route);
  });
  await fc.assert(property, { seed: SEED, numRuns: WORLDS });
  const types = paymentService.resources.flatMap(({ events }) => [...(events?.announced ?? [])]);
  expect(types.filter((type) => !announced.has(type))).toEqual([]);
  const changing = routesIn(paymentService).filter(({ method }) => method !== "GET");
  expect(changing.filter(({ name }) => !called.has(name)).map(({ name }) => name)).toEqual([]);
});
