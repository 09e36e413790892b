import { redact } from "../../src/redaction/redaction.ts";
import { expect, test } from "vitest";
import { simulate, charge, post } from "./world.ts";

test("the journal prints as a timeline in the words of the service", async () => {
  const sim = simulate();
  const { id } = await charge(sim);
  await sim.clock.advance("2 seconds");
  const story = String(sim.journal)
    .split("\n")
    .map((line) => line.slice("2026-01-01 ".length));
  expect(story.slice(0, 5)).toEqual([
    '00:00:00.000Z  merchant  POST /v1/charges { amount: 1250, source: "tok_visa" }',
    `00:00:00.000Z  service   charge ${id}: pending (create)`,
    "00:00:00.000Z  service   answers 200",
    `00:00:02.000Z  clock     charge ${id}: pending → succeeded (settle)`,
    `00:00:02.000Z  service   charge.succeeded ${id}`,
  ]);
});

test("no card number, code or key reaches the journal", async () => {
  const sim = simulate();
  const fields = {
    amount: "1250",
    source: "4242 4242 4242 4242",
    "card[cvc]": "987",
    "card[number]": "4242424242424242",
  };
  await post(sim, "/v1/charges", fields);
  await post(sim, "/v1/charges", { amount: "1250", source: "4242 4242 4242 4242" });
  const written = JSON.stringify(sim.journal.entries) + String(sim.journal);
  expect(written).toContain("4242");
  for (const secret of ["4242 4242", "42424242", "sk_test_"]) expect(written).not.toContain(secret);
});

test("a code in a form's brackets is dropped like any other", () => {
  expect(redact({ "card[cvc]": "987", "card[exp]": "12" })).toEqual({ "card[exp]": "12" });
});
