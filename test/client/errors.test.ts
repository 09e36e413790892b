import { createSimulator } from "centavo";
import { createClient, ServiceError, type Client } from "centavo/client";
import { expect, test } from "vitest";

function open(): Client {
  const sim = createSimulator();
  return createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
}

async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error(`This is not an error of the service: ${String(error)}`);
}

test("a validation error names every offending field", async () => {
  const error = await refusalOf(open().paymentIntents.create({ amount: 0, returnUrl: "nowhere" }));
  expect(error).toMatchObject({
    status: 400,
    code: "VALIDATION_ERROR",
    call: "POST /api/payment-intent",
    requiresAction: false,
  });
  expect(error.errors.map(({ path }) => path)).toEqual(["amount", "returnUrl"]);
  expect(error.message).toContain("amount: Amount must be at least 1 (in cents)");
});

test("a message that repeats the message of a field is told once", async () => {
  const { message } = await refusalOf(open().paymentIntents.create({ amount: 0 }));
  expect(message).toBe("POST /api/payment-intent answered 400: amount: Amount must be at least 1 (in cents)");
});

test("3D_SECURE_REQUIRED carries the page where the customer acts", async () => {
  const client = open();
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" });
  const error = await refusalOf(client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_challenge" }));
  expect(error).toMatchObject({ status: 402, code: "3D_SECURE_REQUIRED", requiresAction: true, redirectUrl });
});

test("a decline carries its code", async () => {
  const client = open();
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  const error = await refusalOf(client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_insufficient_funds" }));
  expect(error).toMatchObject({ status: 402, code: "INSUFFICIENT_FUNDS" });
});

test.for([
  ["a gateway's page", 502, "<h1>Bad gateway</h1>"],
  ["an answer cut short", 200, '{"success":true,"da'],
] as const)("%s is an error without a code, and keeps its text", async ([, status, text]) => {
  const sim = createSimulator();
  const fetch = (url: string, init: RequestInit): Promise<Response> =>
    url.endsWith("/oauth") ? sim.fetch(url, init) : Promise.resolve(new Response(text, { status }));
  const client = createClient({ baseUrl: sim.baseUrl, fetch, ...sim.credentials });
  const error = await refusalOf(client.paymentIntents.create({ amount: 10_000 }));
  expect({ code: error.code, status: error.status, body: error.body }).toEqual({ code: undefined, status, body: text });
});

test("an invalid address is refused at once", () => {
  expect(() => createClient({ baseUrl: "api.pay.example", clientId: "", clientSecret: "" })).toThrow(
    expect.objectContaining({ code: "INVALID_URL" }),
  );
});
