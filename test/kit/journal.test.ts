import { expect, test } from "vitest";
import { defineService } from "../../src/kit/declaration/define-service.ts";
import { chargeApi, charges } from "./charge-api.ts";
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

test("a key of the service is redacted wherever it stands, and no key of another service", async () => {
  const sim = simulate();
  await post(sim, "/v1/charges/sk_test_acct_1", {});
  await post(sim, "/v1/charges", { amount: "1250", source: "1234 1234 1234 1234", "x-sk_live_acct_1": "" });
  await post(sim, "/v1/charges/cs_fake_0123456789", {});
  const printed = String(sim.journal);
  expect(printed).toContain("POST /v1/charges/sk_[redacted]\n");
  expect(printed).toContain("POST /v1/charges/cs_fake_0123456789\n");
  expect(printed).not.toMatch(/acct_1"|1234 1234/);
});

test("fields of the service are treated as it says", () => {
  const fields = { PIN: "1234", source: "1234-1234-1234-1234", method: "1234 1234 1234 1234", clientKey: "key" };
  expect(chargeApi.redaction.value(fields)).toEqual({
    PIN: "[redacted]",
    source: "•••• 1234",
    method: "1234 1234 1234 1234",
    clientKey: "key",
  });
});

test("a secret parameter of a route is cut short in every address and in fields of its name", () => {
  const routes = charges.routes.map((route) => ({ ...route, secrets: { id: /ch_[A-Za-z0-9]{24}/ } }));
  const { redaction } = defineService({
    ...chargeApi,
    resources: [{ ...charges, routes }],
  });
  const id = "ch_0123456789abcdefABCDEFGH";
  expect(redaction.text(`/v1/charges/${id}?like=${id}, not ${id}`)).toBe(
    `/v1/charges/ch_01234…?like=ch_01234…, not ${id}`,
  );
  expect(redaction.value({ id, other: id })).toEqual({ id: "ch_01234…", other: id });
});

test("a code in a form's brackets is dropped like any other", () => {
  expect(chargeApi.redaction.value({ "card[cvc]": "987", "card[exp]": "12" })).toEqual({ "card[exp]": "12" });
});
