import { assumptionTable, createSimulator } from "centavo";
import type { AssumptionId, AssumptionOverrides, ChangeableAssumptionId } from "centavo";
import { describe, expect, expectTypeOf, test } from "vitest";

const fixedRows = Object.entries(assumptionTable).filter(([, { values }]) => values === "fixed");

function refusalOf(assumptions: object): string {
  try {
    createSimulator({ assumptions });
  } catch (error) {
    expect(error).toMatchObject({ name: "CentavoError", code: "INVALID_ASSUMPTION" });
    return (error as Error).message;
  }
  return "not refused";
}

describe("a fixed row", () => {
  test("is not a key of the option, but a row with values is", () => {
    expectTypeOf<"checkout.lifetime" | "webhook.retries">().toExtend<ChangeableAssumptionId>();
    expectTypeOf<"time.format">().not.toExtend<ChangeableAssumptionId>();
    expectTypeOf<"time.format">().toExtend<AssumptionId>();
    expectTypeOf<keyof AssumptionOverrides>().toEqualTypeOf<ChangeableAssumptionId>();
  });

  test.each(fixedRows)("%s takes no value, not even one that other rows call the default", (id, { answer }) => {
    for (const value of ["default", "fixed", null]) {
      const message = refusalOf({ [id]: value });
      expect(message).toContain(`the assumption "${id}" is fixed`);
      expect(message).toContain(answer);
    }
  });

  test("is refused with what Centavo does, and the rows nearby that take values", () => {
    expect(refusalOf({ "checkout.payment": "a charge" })).toBe(
      'createSimulator: the assumption "checkout.payment" is fixed, so it cannot be set to "a charge". How a session is paid: By an embedded payment intent, whose id is never shown and which sends no events. ' +
        'What pays a session inside the service never shows in an exchange. Leave it out. Nearby, these can be changed: "checkout.moves", "checkout.retry", "checkout.lifetime", "checkout.expired-token", "checkout.bodies", "checkout.url", "checkout.return".',
    );
  });

  test("says why no recording can contradict it, in the table and in the refusal", () => {
    const because = "What pays a session inside the service never shows in an exchange.";
    expect(assumptionTable["checkout.payment"]).toMatchObject({ values: "fixed", because });
    expect(refusalOf({ "checkout.payment": "intent" })).toContain(`sends no events. ${because} Leave it out.`);
  });

  test.each(fixedRows)("%s says why no recording can contradict it, in a sentence", (_id, entry) => {
    expect(entry).toHaveProperty("because", expect.stringMatching(/^[A-Z].*\.$/));
  });

  test("says so when no row nearby takes a value", () => {
    expect(refusalOf({ "time.format": "unix" })).toContain('No row of "time" can be changed.');
  });

  test("says that it is fixed when a run used it, and has no value", async () => {
    const sim = createSimulator();
    await sim.fetch("/nothing");
    expect(sim.assumptions.used().find(({ id }) => id === "http.refusals")).toEqual({
      id: "http.refusals",
      question: assumptionTable["http.refusals"].question,
      answer: assumptionTable["http.refusals"].answer,
      values: "fixed",
      changed: false,
    });
  });
});

describe("a row that can be changed", () => {
  test("lists its values when a run used it", async () => {
    const sim = createSimulator({
      assumptions: { "auth.token-errors": 401, "auth.token-response": { token: "{access_token}" } },
    });
    await sim.fetch("/oauth", {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_id: sim.credentials.clientId,
        client_secret: sim.credentials.clientSecret,
      }),
    });
    const rows = sim.assumptions.used();
    expect(rows.find(({ id }) => id === "auth.token-response")).toMatchObject({
      values: 'a template, which holds "{access_token}"',
      value: { token: "{access_token}" },
      changed: true,
    });
    expect(rows.find(({ id }) => id === "auth.token-lifetime")).toMatchObject({
      values: 'a length of time, such as "30 minutes"',
      value: "1 hour",
      changed: false,
    });
  });
});
