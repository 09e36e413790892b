import { test } from "vitest";
import { clubs } from "./merchants.ts";
import { examineSeeds, SEEDS } from "./seeds.ts";

const all = Object.entries(clubs).flatMap(([name, club]) => SEEDS.map((seed) => ({ name, club, seed })));

test.for(all)("passes a club that $name, in a thousand worlds of seed $seed", async ({ club, seed }) => {
  await examineSeeds(club, seed);
});
