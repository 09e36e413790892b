import { createSimulator } from "centavo";
import { runScenario, scenario } from "centavo/scenario";
import { expect, test } from "vitest";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { Merchant } from "../merchant.ts";

// eslint-disable-next-line no-control-regex -- these are what must not be printed
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const hostile = [
  "\u001B[2J\u001B]0;owned\u0007",
  "\u009B31m",
  "\u007F",
  "\u202Edrac\u202C",
  "\u2066x\u2069",
  "\r",
  "\u200F",
].join("a");

test("a timeline holds no raw control character, whatever was sent", async () => {
  const merchant = await Merchant.open({}, () => {
    throw new Error(hostile);
  });
  const { sim } = merchant;
  const { access } = await tokensOf(sim);
  await merchant.pay({});
  await callWith(access, sim, "/api/payment-intent", {
    amount: 1,
    description: hostile,
    metadata: { [hostile]: hostile },
    [hostile]: 1,
  });
  await callWith(access, sim, `/api/payment-intent/${encodeURIComponent(hostile)}/status`);
  await sim.clock.advance("1 minute");
  expect(String(sim.journal)).toContain(String.raw`\u001b`);
  expect(String(sim.journal)).not.toMatch(CONTROL);
});

test("a story's timeline holds none, and no card number, in steps and notes", async () => {
  const { timeline } = await runScenario(
    scenario("A story", ({ step, note }) => {
      step(`pays ${hostile} with 5555 4444 4444 4457`);
      note("shop", hostile);
    }),
    { way: "memory" },
  );
  expect(timeline).toContain(String.raw`pays \u001b[2J`);
  expect(timeline).not.toMatch(CONTROL);
  expect(timeline).not.toContain("5555 4444");
});

test("an error that echoes its input holds none", () => {
  expect(() => createSimulator({ baseUrl: hostile })).toThrow(
    expect.not.objectContaining({ message: expect.stringMatching(CONTROL) as unknown }) as Error,
  );
  const sim = createSimulator();
  for (const act of [
    () => sim.intents.cancel(hostile),
    () => sim.connect(hostile, () => new Response()),
    () => sim.faults.add({ kind: hostile } as never),
  ])
    expect(act).toThrow(expect.not.objectContaining({ message: expect.stringMatching(CONTROL) as unknown }) as Error);
});
