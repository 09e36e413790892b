import { expect, test } from "vitest";
import { createSimulator } from "centavo";
import { exam } from "centavo/exam";
import type { Act, ObservedAct } from "centavo/exam";
import { leadsTo } from "../../../src/exam/playing/pages.ts";
import { openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";

/** Plays an act of its own with the small shop, and returns what each act was seen to be. */
async function actsOf(order: Act) {
  const seenActs: ObservedAct[] = [];
  await exam<Orders>({
    open: (opening) => openSmallShop(opening),
    acts: { order },
    books: ({ store }) => ({ orders: [...store.values()] }),
    laws: {
      witness: {
        name: "witness",
        sentence: "Acts are seen.",
        remedy: "None.",
        holds: "in the end",
        breaches: ({ seen }) => {
          seenActs.push(...seen.acts);
          return [];
        },
      },
    },
    budget: { stories: 3 },
  });
  return seenActs;
}

test("lets a redirect to something that is not an address lead nowhere", async () => {
  await using sim = createSimulator();
  const redirect = new Response(null, { status: 303, headers: { location: "http://" } });
  expect(await leadsTo(redirect, sim)).toBeUndefined();
});

test("goes on where an act has read the body of a refusal", async () => {
  const acts = await actsOf(async () => {
    const answer = new Response("Sold out.", { status: 409 });
    await answer.text();
    return answer;
  });
  expect(acts.length).toBeGreaterThan(0);
  for (const { status, said, hasChallenge } of acts)
    expect({ status, said, hasChallenge }).toEqual({ status: 409, said: "", hasChallenge: false });
});
