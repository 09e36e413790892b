import { replay, type Fault } from "centavo";
import { describe, expect, test } from "vitest";
import { deliveriesOf, merchantWith } from "./verifying-merchant.ts";

const every: readonly Fault[] = [
  { kind: "webhook.drop" },
  { kind: "webhook.delay", delay: "1 minute" },
  { kind: "webhook.duplicate" },
  { kind: "webhook.new-id" },
  { kind: "webhook.reorder", within: "1 minute", order: "shuffled" },
  { kind: "webhook.burst", within: "1 minute" },
  { kind: "webhook.interleave", within: "1 minute" },
  { kind: "webhook.extra-fields" },
  { kind: "webhook.unknown-type" },
  { kind: "webhook.unknown-object" },
  { kind: "webhook.corrupt-body" },
  { kind: "webhook.wrong-secret" },
  { kind: "webhook.stale-timestamp" },
  { kind: "webhook.other-mode" },
  { kind: "webhook.refused" },
  { kind: "webhook.slow", delay: "5 seconds" },
  { kind: "webhook.answer-lost" },
  { kind: "webhook.answer", status: 500 },
];

async function run(faults: readonly Fault[], seed = "one") {
  const { sim, merchant } = await merchantWith(faults, {
    options: { seed },
    answer: (_, count) => new Response(null, { status: count === 2 ? 500 : 200 }),
  });
  await merchant.pay({});
  await merchant.pay({});
  await sim.clock.advance("1 hour");
  return sim;
}

test("faults that never match change no id, no time and no delivery", async () => {
  const others: Fault[] = every.map((fault) => ({ ...fault, resource: "pi_of_nobody" }) as Fault);
  const without = await run([]);
  const withThem = await run(others);
  expect(deliveriesOf(withThem)).toEqual(deliveriesOf(without));
  expect(withThem.faults.unused()).toHaveLength(every.length);
});

test.each(every)("$kind, once, changes no id of another event, and is the same twice, and replayed", async (fault) => {
  const without = await run([]);
  const once = await run([{ ...fault, nth: 2 }]);
  const again = await run([{ ...fault, nth: 2 }]);
  expect(once.faults.unused()).toEqual([]);
  expect(once.journal.digest()).toBe(again.journal.digest());
  expect(deliveriesOf(await replay(once.recording()))).toEqual(deliveriesOf(once));
  const ids = new Set(once.webhooks.events().map(({ id }) => id));
  expect(without.webhooks.events().filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(once.intents.list().map(({ id }) => id)).toEqual(without.intents.list().map(({ id }) => id));
});

describe("a fault of some probability", () => {
  test("fires as often as the seed says, and twice the same", async () => {
    const hits = async (seed: string): Promise<string> => {
      const { sim, merchant, types } = await merchantWith([{ kind: "webhook.drop", probability: 0.5 }], {
        options: { seed },
      });
      for (let count = 0; count < 10; count += 1) await merchant.pay({});
      await sim.clock.settle();
      const [fault] = sim.faults.list();
      expect(types()).toHaveLength(20 - (fault?.hits ?? 0));
      return sim.webhooks
        .events()
        .map(({ status }) => status === "dropped")
        .join();
    };
    expect(await hits("one")).toBe(await hits("one"));
    expect(await hits("one")).not.toBe(await hits("two"));
    expect(await hits("one")).toContain("true");
    expect(await hits("one")).toContain("false");
  });
});
