import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { script, simulator } from "./script.ts";

/** The script's digest since its last deliberate change. A new digest changes the run for every user of a seed. */
const FROZEN = "e631981032901c6860f38d6f60abc754654bbe9afe3bcfd776ad59b18793c807";

describe("the same script with the same seed", () => {
  test("has the digest that it always had", async () => {
    expect(await script(simulator())).toBe(FROZEN);
  });

  test("has the same digest in other processes", async () => {
    const module = new URL("script.ts", import.meta.url).href;
    const program = `import { script, simulator } from ${JSON.stringify(module)}; console.log(await script(simulator()));`;
    const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
    const runs = await Promise.all([run(), run()]);
    expect(runs.map(({ stdout }) => stdout)).toEqual([`${FROZEN}\n`, `${FROZEN}\n`]);
  });

  test("makes the same ids and the same world, but for what is true of one run only", async () => {
    const [first, second] = [simulator(), simulator()];
    await script(first);
    await script(second);
    expect(second.intents.list()).toEqual(first.intents.list());
    expect(second.webhooks.attempts()).toEqual(first.webhooks.attempts());
    expect(second.clock.pending()).toEqual(first.clock.pending());
  });

  test("has the same digest under other addresses, whether or not the token service has a separate one", async () => {
    const elsewhere = simulator({ baseUrl: "http://localhost:4010/pay/v1", authUrl: "https://login.pay.example" });
    expect(await script(elsewhere)).toBe(FROZEN);
  });
});

test("another seed makes other ids and another digest", async () => {
  const [first, second] = [simulator(), simulator({ seed: 43 })];
  expect(await script(second)).not.toBe(await script(first));
  const ids = new Set(first.intents.list().map(({ id }) => id));
  expect(second.intents.list().filter(({ id }) => ids.has(id))).toEqual([]);
  expect(second.credentials).not.toEqual(first.credentials);
});

test("another script has another digest, be it in one amount", async () => {
  const digestOf = async (amount: number): Promise<string> => {
    const sim = simulator();
    await script(sim, async (input, init) =>
      sim.fetch(input, {
        ...init,
        ...(typeof init?.body === "string" ? { body: init.body.replace("2500", String(amount)) } : {}),
      }),
    );
    return sim.journal.digest();
  };
  expect(await digestOf(2500)).toBe(FROZEN);
  expect(await digestOf(2501)).not.toBe(FROZEN);
});
