import { test } from "vitest";
import { shops } from "./merchants.ts";
import { examineSeeds, SEEDS } from "./seeds.ts";

const all = Object.entries(shops).flatMap(([name, shop]) => SEEDS.map((seed) => ({ name, shop, seed })));

test.for(all)("passes a shop that $name, in a thousand worlds of seed $seed", async ({ shop, seed }) => {
  await examineSeeds(shop, seed);
});
