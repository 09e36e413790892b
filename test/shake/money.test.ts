import { expect, test } from "vitest";
import { createClient } from "centavo/client";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";

/** Sells in a shop that starts over when a call fails, and names each try by `nameOf`. */
function suiteOf(nameOf: (attempt: number) => string | undefined): Suite {
  return {
    "a customer pays": async ({ sim, network, visit }) => {
      const { baseUrl, authUrl, fetch } = network;
      const client = createClient({ ...sim.credentials, baseUrl, authUrl, fetch });
      const charge = async (attempt: number): Promise<void> => {
        const externalId = nameOf(attempt);
        const named = externalId === undefined ? {} : { externalId };
        const { id } = await client.paymentIntents.create({ amount: 49_900, ...named });
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      };
      sim.connect(url, async () => {
        await charge(1).catch(() => charge(2));
        return new Response();
      });
      expect((await visit("POST", "/pay")).status).toBe(200);
      await sim.clock.settle();
    },
  };
}

async function byLostAnswers(suite: Suite) {
  const { findings } = await shakenIn(suite, {
    isWanted: ({ trouble, point }) => trouble.name === "response.lost" && point.subject.endsWith(".confirm"),
  });
  return findings;
}

test("who names each try anew is charged again, which is found by what the customers paid in all", async () => {
  expect(await byLostAnswers(suiteOf((attempt) => `order-1/${attempt}`))).toMatchObject([
    {
      kind: "money",
      law: "charged-once",
      brief: "charged again under another id, ₱499.00 more (money taken, test green)",
      amount: 49_900,
      tests: [
        { what: ["The customers were charged twice, and without the trouble once: ₱499.00 more, for order-1/2."] },
      ],
    },
  ]);
});

test("names that differ from run to run accuse nobody", async () => {
  let runs = 0;
  const one: Suite[string] = async ({ sim, client }) => {
    const { id } = await client.paymentIntents.create({ amount: 49_900, externalId: `order-${(runs += 1)}` });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    expect(sim.intents.last()?.status).toBe("succeeded");
  };
  const { findings, judged } = await shakenIn({ "a customer pays": one });
  expect(findings).toEqual([]);
  expect(judged.length).toBeGreaterThan(0);
});
