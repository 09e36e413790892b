import { runScenario, scenario } from "centavo/scenario";
import { expect, test } from "vitest";
import { Story } from "../../src/scenario/story.ts";

const story = scenario("A card pays", async ({ client, clock, step, note }) => {
  step("The customer pays");
  const intent = await client.paymentIntents.create({ amount: 10_000, description: "A book ".repeat(30) });
  note("shop", "sends the customer away");
  step("An hour later");
  await clock.advance("1 hour");
  note("shop", `looks at ${intent.id}`);
  note("shop", "closes");
});

test("each step is a heading with what happened in it, and the time is printed only when it has moved on", async () => {
  const { timeline } = await runScenario(story, { way: "memory" });
  const lines = timeline.split("\n");
  expect(lines[0]).toBe("» The customer pays");
  expect(lines[1]).toMatch(/^2026-01-01 00:00:00 {2}merchant {2}POST \/oauth/);
  expect(lines[2]).toMatch(/^ {21}service/);
  const later = lines.indexOf("» An hour later");
  expect(lines[later - 2]).toMatch(/shop {6}sends the customer away$/);
  expect(lines[later - 1]).toBe("");
  expect(lines[later + 1]).toMatch(/^2026-01-01 01:00:00 {2}shop {6}looks at pi_\w{6}…$/);
  expect(lines[later + 2]).toMatch(/^ {21}shop {6}closes$/);
});

test("long lines are cut short, and the journal keeps them in full", async () => {
  const { timeline, journal } = await runScenario(story, { way: "memory" });
  const longest = Math.max(...timeline.split("\n").map((line) => line.length));
  expect(longest).toBe(160);
  expect(JSON.stringify(journal)).toContain("A book ".repeat(30));
});

test("the digest leaves out what the story notes", async () => {
  const quiet = scenario("Says nothing", ({ client }) =>
    client.checkout
      .poll("unknown")
      .catch(() => undefined)
      .then(() => undefined),
  );
  const talkative = scenario("Talks", async ({ client, step, note }) => {
    step("Look");
    note("shop", "looks");
    await client.checkout.poll("unknown").catch(() => undefined);
  });
  const [first, second] = [
    await runScenario(quiet, { way: "memory" }),
    await runScenario(talkative, { way: "memory" }),
  ];
  expect(second.digest).toBe(first.digest);
});

test("a story of decades, with more lines than a call takes arguments, is told too", () => {
  const entry = {
    sequence: 1,
    at: 0,
    kind: "fact",
    details: { type: "payment_intent.succeeded", id: "pi_1" },
  } as const;
  const entries = Array.from({ length: 150_000 }, () => entry);
  const long = new Story({
    clock: { now: () => "2026-01-01T00:00:00.000Z" },
    journal: { entries, length: entries.length },
  });
  expect(long.toString().split("\n").length).toBeGreaterThan(149_999);
});
