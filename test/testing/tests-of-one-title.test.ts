import type { Client } from "centavo/client";
import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { test as base, describe, expect } from "vitest";

const test = withSimulator(base);

const newIntent = async ({ client }: { readonly client: Client }): Promise<string> =>
  (await client.paymentIntents.create({ amount: 10_000 })).id;

/** Runs tests as Mocha does, whose root suite is new in each run. */
async function mochaRun(tests: readonly (() => Promise<void>)[]): Promise<void> {
  const root = {};
  const context = { test: { fullTitle: () => "pays", parent: { parent: root } }, timeout: () => 2000 };
  for (const each of tests) await each.call(context);
}

describe("simulated", () => {
  base.for([
    ["of one name", { name: "of one name" }],
    ["without a name, whose sources are equal", {}],
  ] as const)("gives tests %s ids of their own", async ([, options]) => {
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1)
      await simulated(options, async (parts) => void ids.push(await newIntent(parts)))();
    expect(new Set(ids).size).toBe(3);
  });

  base("gives tests of one name and different seeds the ids that each has alone", async () => {
    const idWith = async (seed: number): Promise<string> => {
      let id = "";
      await simulated({ name: "seeds", seed }, async (parts) => void (id = await newIntent(parts)))();
      return id;
    };
    // A test that runs once keeps the ids that it always had.
    expect(await idWith(1)).toMatchInlineSnapshot(`"pi_JjkY739YvvhRUEGxNwKlFake"`);
    expect(await idWith(2)).toMatchInlineSnapshot(`"pi_oWH7OxlFw991Cg92RQ68Fake"`);
  });

  base("gives the same ids when the runner runs again in the same process", async () => {
    const ids: string[] = [];
    const pays = simulated({ name: "runs again" }, async (parts) => void ids.push(await newIntent(parts)));
    await mochaRun([pays, pays]);
    await mochaRun([pays, pays]);
    expect(ids[0]).not.toBe(ids[1]);
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
  });

  base("refuses a late call of the first test in the second, and names it", async () => {
    let late: (() => Promise<Response>) | undefined;
    const pays = simulated({ name: "pays", recordings: false }, async ({ sim, network, client }) => {
      expect(network.kind).toBe("intercept");
      const id = await newIntent({ client });
      if (late === undefined) {
        const { clientId, clientSecret } = sim.credentials;
        const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
        const answer = await fetch(`${sim.baseUrl}/oauth`, { method: "POST", body });
        const { access_token: token } = (await answer.json()) as { readonly access_token: string };
        late = () =>
          fetch(`${sim.baseUrl}/api/payment-intent/${id}/confirm`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify({ paymentMethodId: "pm_card_approved" }),
          });
        throw new Error("the first attempt fails");
      }
      const answer = await late();
      expect(answer.status).toBe(401);
      expect(await answer.text()).toContain('the world of the test \\"pays\\", which has ended');
      await sim.clock.settle();
      expect(sim.ledger().balances.customers).toBe(0);
      expect(sim.intents.get(id)?.status).toBe("requires_payment_method");
    });
    await expect(pays()).rejects.toThrow("the first attempt fails");
    await pays();
  });

  base("says in the report of a failure which run of its name it was", async () => {
    const fails = simulated({ name: "fails twice", recordings: false }, ({ sim }) => {
      throw new Error(`fails at ${sim.clock.now()}`);
    });
    await expect(fails()).rejects.toThrow(/with the name "fails twice"(?!, run)/);
    await expect(fails()).rejects.toThrow('with the name "fails twice", run 2');
  });
});

describe("withSimulator", () => {
  const ids: Record<string, string[]> = {};
  const note = (what: string, id: string): number => (ids[what] ??= []).push(id);

  test("repeats a test", { repeats: 2 }, async ({ client }) => void note("repeated", await newIntent({ client })));

  // The first attempts fail on purpose: what is tested is that a retry has a world of its own.
  test("tries a test again", { retry: 2 }, async ({ client }) => {
    expect(note("retried", await newIntent({ client }))).toBe(3);
  });

  for (let index = 0; index < 3; index += 1)
    test("has one name for all turns of a loop", async ({ client }) =>
      void note("looped", await newIntent({ client })));

  test.for([1, 2, 3])(
    "has one name for all rows",
    async (_, { client }) => void note("rows", await newIntent({ client })),
  );

  describe.concurrent("at the same time", () => {
    for (const wait of [3, 2, 1])
      test("has one name", async ({ client }) => {
        // The last of them is the first to open its world.
        for (let turn = 0; turn < wait; turn += 1) await new Promise(setImmediate);
        note("concurrent", `${wait} ${await newIntent({ client })}`);
      });
  });

  base("gave each its own ids, the same in every run", () => {
    for (const what of ["repeated", "retried", "looped", "rows", "concurrent"])
      expect(new Set(ids[what]).size, what).toBe(3);
    expect({ ...ids, concurrent: ids["concurrent"]?.toSorted() }).toMatchInlineSnapshot(`
      {
        "concurrent": [
          "1 pi_zfJxFhUIQbb6AzILULqFFake",
          "2 pi_oFFYgIqUDZQT688cPlEgFake",
          "3 pi_ZezLwQPsRGY5DQrHl8dCFake",
        ],
        "looped": [
          "pi_bCszUqntjNimybpufiUjFake",
          "pi_DImYMIzb35zLB7qKUBPXFake",
          "pi_CMEHA4EV3Tcn6MAFITa7Fake",
        ],
        "repeated": [
          "pi_SxRXZHMUPezbmFm6aidgFake",
          "pi_qe89cFrAQKY0pqyCKI8BFake",
          "pi_KVUs8paP6rGCaY6pbnXtFake",
        ],
        "retried": [
          "pi_4PvFwQb8sRnbHARHURHXFake",
          "pi_ptojiWFrlZsDmSmqXFSTFake",
          "pi_eJ8G91uLxhOgfaazrTq9Fake",
        ],
        "rows": [
          "pi_A6v4YWxywscOCHooWAWAFake",
          "pi_TuH0NnFvkwivhWJxMWj7Fake",
          "pi_zZgcHNr69nwoHD1kKZHzFake",
        ],
      }
    `);
  });
});
