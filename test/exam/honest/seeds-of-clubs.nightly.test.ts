import { test } from "vitest";
import { clubs } from "./merchants.ts";
import { examineSeeds } from "./seeds.ts";

test.for(Object.entries(clubs))("passes a club that %s, with a thousand seeds", async ([, club]) => {
  await examineSeeds(club);
});
