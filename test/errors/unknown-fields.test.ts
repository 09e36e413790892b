import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { answerOf } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const BODY = { amount: 1, currency: "PHP", contact: { name: "Ana", fax: "1" }, metadata: { anything: { goes: true } } };

describe("fields that the document does not name", () => {
  test("are ignored, and noted with their paths after the request", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    expect((await callWith(access, sim, "/api/payment-intent", BODY)).status).toBe(200);
    const { entries } = sim.journal;
    const index = entries.findIndex(({ kind }) => kind === "warning");
    expect(entries[index]?.details).toEqual({
      route: "payment-intent.create",
      message: "unknown fields were ignored: currency, contact.fax",
    });
    expect(entries[index - 1]).toMatchObject({
      kind: "request",
      details: { route: "payment-intent.create", body: { contact: { name: "Ana" } } },
    });
    expect(sim.assumptions.used().find(({ id }) => id === "http.unknown-fields")?.value).toBe("ignore");
    expect(sim.intents.last()?.contact).toEqual({ name: "Ana" });
  });

  test("are named up to a hundred, and counted beyond", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const fields = Object.fromEntries(Array.from({ length: 103 }, (_, index) => [`field${index}`, index]));
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1, ...fields })).status).toBe(200);
    const warning = sim.journal.entries.find(({ kind }) => kind === "warning");
    expect(warning?.details["message"]).toMatch(
      /^unknown fields were ignored: field0, field1, .+, field99 and 3 more$/,
    );
  });

  test("are refused by assumption, along with every other problem", async () => {
    const sim = createSimulator({ assumptions: { "http.unknown-fields": "refuse" } });
    const { access } = await tokensOf(sim);
    const before = worldOf(sim);
    const { status, body } = await callWith(access, sim, "/api/payment-intent", { ...BODY, amount: "x" });
    expect(status).toBe(400);
    expect(body["errors"]).toEqual([
      { path: "amount", message: "must be a number", code: "validation_error" },
      { path: "currency", message: "is not a field of this request", code: "validation_error" },
      { path: "contact.fax", message: "is not a field of this request", code: "validation_error" },
    ]);
    expect(worldOf(sim)).toEqual(before);
  });

  test("are refused by assumption, as many as a body may have", async () => {
    const sim = createSimulator({ assumptions: { "http.unknown-fields": "refuse" } });
    const { access } = await tokensOf(sim);
    const fields = Object.fromEntries(Array.from({ length: 9998 }, (_, index) => [`field${index}`, index]));
    const { status, body } = await callWith(access, sim, "/api/payment-intent", { amount: 1, ...fields });
    expect([status, body.errors?.length]).toEqual([400, 9998]);
  });

  test("are looked for in forms too", async () => {
    const sim = createSimulator({ assumptions: { "http.unknown-fields": "refuse" } });
    const { body } = await answerOf(
      await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client: "x" }) }),
    );
    expect(body["errors"]).toEqual([
      { path: "client", message: "is not a field of this request", code: "validation_error" },
      { path: "client_id", message: "is required", code: "validation_error" },
      { path: "client_secret", message: "is required", code: "validation_error" },
    ]);
  });
});

describe("query parameters of a call that declares none", () => {
  const path = "/api/payment-intent/pi_1/status?verbose=1&verbose=2&page=3";

  test("are ignored, and noted, even those that are given twice", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    expect((await callWith(access, sim, path)).status).toBe(404);
    const warnings = sim.journal.entries.filter(({ kind }) => kind === "warning");
    expect(warnings.map(({ details }) => details)).toEqual([
      { route: "payment-intent.status", message: "unknown fields were ignored: verbose, page" },
    ]);
  });

  test("are refused by assumption", async () => {
    const sim = createSimulator({ assumptions: { "http.unknown-fields": "refuse" } });
    const { access } = await tokensOf(sim);
    const { status, body } = await callWith(access, sim, path);
    expect([status, body["errors"]]).toEqual([
      400,
      [
        { path: "verbose", message: "is not a field of this request", code: "validation_error" },
        { path: "page", message: "is not a field of this request", code: "validation_error" },
      ],
    ]);
  });
});

describe("an external id used twice", () => {
  const order = { amount: 1, externalId: "order-1" };

  test("is noted", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    for (let count = 0; count < 2; count += 1)
      expect((await callWith(access, sim, "/api/payment-intent", order)).status).toBe(200);
    const notes = sim.journal.entries.filter(({ kind }) => kind === "warning");
    expect(notes.map(({ details }) => details["message"])).toEqual([expect.stringContaining('externalId "order-1"')]);
  });

  test("is refused by assumption, and used up only by a success", async () => {
    const sim = createSimulator({ assumptions: { "http.external-id": "refuse" } });
    const { access } = await tokensOf(sim);
    expect((await callWith(access, sim, "/api/payment-intent", { ...order, amount: 0 })).status).toBe(400);
    expect((await callWith(access, sim, "/api/payment-intent", order)).status).toBe(200);
    const before = worldOf(sim);
    const { status, body } = await callWith(access, sim, "/api/payment-intent", order);
    expect(status).toBe(400);
    expect(body["errors"]).toEqual([{ path: "externalId", message: "was used before", code: "validation_error" }]);
    expect(worldOf(sim)).toEqual(before);
  });
});
