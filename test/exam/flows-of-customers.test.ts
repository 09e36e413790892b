import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop } from "./small-shop.ts";

const budget = { stories: 1 };

test("a flow is played only where its acts are given", async () => {
  const shop = examOfSmallShop();
  const withLook = { ...shop.acts, look: () => new Response("pending") };
  const looks = (names: readonly string[]): readonly string[] => names.filter((name) => name.includes("with a look"));
  const without = await exam({ ...shop, budget });
  expect(looks(without.coverage.flowsNotPlayed)).toEqual([]);
  expect(without.missingActs).toContain("look");
  const given = await exam({ ...shop, acts: withLook, budget });
  expect(looks(given.coverage.flowsNotPlayed)).toEqual(["order with a look while the challenge is open"]);
});

test("a crowd of customers is told in one sentence, and each payment belongs to its own order", async () => {
  const flow = { name: "twelve customers order at once", steps: [] };
  const replay = tokenOf({ flow, troubles: [placed("story 1", "no events")] });
  const { failures } = await exam({ ...examOfSmallShop("never asks"), replay });
  const lost = failures.find(({ law }) => law === "paid-and-fulfilled");
  expect(lost?.story).toEqual([
    "12 customers order at once, each with pm_card_approved.",
    "No event arrives, for 2 days at most.",
  ]);
  expect(lost?.what).toBe("₱499.00 was paid for order-1, which is pending, and was neither fulfilled nor given back.");
  expect(await exam({ ...examOfSmallShop(), replay })).toMatchObject({ outcome: "passed" });
});

test("who is told of a renewal late has had no time to act on it", async () => {
  const replay = tokenOf({
    flow: { name: "join then leave before the events of the renewal", steps: [] },
    troubles: [],
  });
  expect(await exam({ ...examOfClub(), replay })).toMatchObject({ outcome: "passed" });
});
