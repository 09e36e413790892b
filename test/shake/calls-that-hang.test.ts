import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createClient } from "centavo/client";
import type { TestParts } from "centavo/testing";
import { kindOf } from "../../src/shake/troubles-of-shake.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

const url = "https://shop.example";

/** Sells in a shop whose client repeats a call that fails, with one key or with a new one each time. */
async function sell({ sim, network, visit }: Pick<TestParts, "sim" | "network" | "visit">, hasKeys: boolean) {
  const { baseUrl, authUrl, fetch } = network;
  const client = createClient({ ...sim.credentials, baseUrl, authUrl, fetch });
  const charge = async (): Promise<void> => {
    const key = (step: string) => (hasKeys ? { idempotencyKey: `order-1/${step}` } : {});
    const { id } = await client.paymentIntents.create({ amount: 49_900, externalId: "order-1" }, key("create"));
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }, key("confirm"));
  };
  sim.connect(url, async () => {
    await charge().catch(charge);
    return new Response();
  });
  const { status } = await visit("POST", "/pay");
  await sim.clock.settle();
  return status;
}

function suiteOf(hasKeys: boolean): Suite {
  return {
    "a customer pays": async ({ sim, network, visit }) => {
      expect(await sell({ sim, network, visit }, hasKeys)).toBe(200);
    },
  };
}

/** Shakes a suite by calls that hang. */
function byHangingCalls(suite: Suite) {
  return shakenIn(suite, {
    isWanted: ({ trouble, point }) => kindOf(trouble) === "hanging-calls" && point.subject.endsWith(".confirm"),
  });
}

test("a call that hangs ends as a broken connection, and a merchant with keys bears it", async () => {
  const { judged, findings } = await byHangingCalls(suiteOf(true));
  expect(judged.map(({ placed, judgement }) => [placed.trouble.name, judgement.is])).toEqual([
    ["request.hang", "borne"],
    ["response.hang", "borne"],
  ]);
  expect(findings).toEqual([]);
});

test("a merchant without keys charges twice when the call was processed before it hung", async () => {
  const { findings } = await byHangingCalls(suiteOf(false));
  expect(findings).toMatchObject([
    {
      kind: "money",
      law: "charged-once",
      sentence: "The service does what the call payment-intent.confirm asks, but never answers it.",
      also: [],
      amount: 49_900,
    },
  ]);
});

test("a client that gives up earlier does so by itself", async () => {
  const errors: string[] = [];
  const { judged } = await byHangingCalls({
    "a customer pays": async ({ sim, network, visit }) => {
      const { baseUrl, authUrl } = network;
      const hurried: typeof network.fetch = (input, init) =>
        network.fetch(input, { ...init, signal: AbortSignal.timeout(50) });
      const client = createClient({ ...sim.credentials, baseUrl, authUrl, fetch: hurried });
      sim.connect(url, async () => {
        const { id } = await client.paymentIntents.create({ amount: 49_900 });
        await client.paymentIntents
          .confirm(id, { paymentMethodId: "pm_card_approved" })
          .catch((error: Error) => errors.push(error.name));
        return new Response();
      });
      expect((await visit("POST", "/pay")).status).toBe(200);
    },
  });
  expect(judged.map(({ judgement }) => judgement.is)).toEqual(["borne", "borne"]);
  expect(errors).toEqual(["TimeoutError", "TimeoutError"]);
});

test("a call that a fault of the test holds waits for the test to move the clock", async () => {
  const suite: Suite = {
    "an answer comes late": async ({ sim, client }) => {
      const late = sim.faults.add({ kind: "response.late", delay: "90 seconds", times: 1 });
      const begun = sim.clock.now();
      const call = client.paymentIntents.create({ amount: 49_900 });
      await late.struck();
      for (let turn = 0; turn < 100; turn += 1) await setImmediate();
      expect(sim.clock.now()).toEqual(begun);
      await sim.clock.advance("90 seconds");
      await call;
    },
  };
  const { plain } = await shakenIn(suite, { isWanted: () => false });
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
});
