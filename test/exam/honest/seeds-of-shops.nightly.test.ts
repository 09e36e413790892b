import { test } from "vitest";
import { shops } from "./merchants.ts";
import { examineSeeds } from "./seeds.ts";

test.for(Object.entries(shops))("passes a shop that %s, with a thousand seeds", async ([, shop]) => {
  await examineSeeds(shop);
});
