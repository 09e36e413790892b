import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { errorTable } from "../../src/service/error-table.ts";
import { type Answer, answerOf, ok } from "../merchant/answers.ts";
import { callWith, order, postJson, requestToken, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const sim = createSimulator();
const { access } = await tokensOf(sim);
const INTENT = "/api/payment-intent";
const CHECKOUT = order();
const APPROVED = { paymentMethodId: "pm_card_approved" };

const intentId = async (): Promise<string> => String(ok(await callWith(access, sim, INTENT, { amount: 5000 }))["id"]);
const confirm = async (id: string, body: unknown): Promise<Answer> =>
  callWith(access, sim, `${INTENT}/${id}/confirm`, body);
const session = async (): Promise<string> =>
  String(ok(await callWith(access, sim, "/api/checkout", CHECKOUT))["sessionToken"]);
const raw = async (path: string, init: RequestInit): Promise<Answer> => answerOf(await sim.fetch(path, init));
const fresh = await intentId();
const processing = await intentId();
await confirm(processing, APPROVED);
const challenged = await intentId();
await confirm(challenged, { paymentMethodId: "pm_display_details" });
const canceled = await intentId();
sim.intents.cancel(canceled);
const cancelled = await session();
await sim.customer.cancel(`${sim.baseUrl}/pay/${cancelled}`);
const processed = await session();
await callWith(access, sim, `/api/checkout/process/${processed}`, APPROVED);
await callWith(access, sim, INTENT, { amount: 1 }, { "idempotency-key": "k" });

interface Condition {
  readonly when: string;
  readonly ask: () => Promise<Answer>;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  /** What the body says beside the common shape. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const conditions: readonly Condition[] = [
  {
    when: "a required field is missing",
    ask: () => callWith(access, sim, INTENT, {}),
    status: 400,
    code: "VALIDATION_ERROR",
    message: "Validation error",
    errors: [{ path: "amount", message: "is required" }],
  },
  {
    when: "a checkout amount is 0",
    ask: () => callWith(access, sim, "/api/checkout", { ...CHECKOUT, amount: 0 }),
    status: 400,
    code: "VALIDATION_ERROR",
    message: "Amount must be at least 1 (in cents)",
    errors: [{ path: "amount", message: "Amount must be at least 1 (in cents)" }],
  },
  {
    when: "a checkout amount is negative",
    ask: () => callWith(access, sim, "/api/checkout", { ...CHECKOUT, amount: -5 }),
    status: 400,
    code: "VALIDATION_ERROR",
    message: "Amount must be at least 1 (in cents)",
    errors: [{ path: "amount", message: "Amount must be at least 1 (in cents)" }],
  },
  ...[0.5, -0.5].map((amount) => ({
    when: `a checkout amount is ${amount}`,
    ask: () => callWith(access, sim, "/api/checkout", { ...CHECKOUT, amount }),
    status: 400,
    code: "VALIDATION_ERROR",
    message: "Amount must be at least 1 (in cents)",
    errors: [{ path: "amount", message: "Amount must be at least 1 (in cents)" }],
  })),
  {
    when: "a body is not JSON",
    ask: () => raw(INTENT, { ...postJson({}, { authorization: `Bearer ${access}` }), body: "{" }),
    status: 400,
    code: "MALFORMED_JSON",
    message: "The body is not valid JSON: at position 1 (line 1 column 2)",
  },
  {
    when: "a payment method id is unknown",
    ask: () => confirm(fresh, { paymentMethodId: "pm_nobody" }),
    status: 400,
    code: "PAYMENT_METHOD_INVALID",
    message: "The payment method is invalid",
  },
  {
    when: "a card number stands where an id belongs",
    ask: () => confirm(fresh, { paymentMethodId: "4343434343434345" }),
    status: 400,
    code: "PAYMENT_METHOD_INVALID",
    message: "A card number is not a payment method id; send it as creditCardDetails",
  },
  {
    when: "an idempotency key comes with another body",
    ask: () => callWith(access, sim, INTENT, { amount: 2 }, { "idempotency-key": "k" }),
    status: 400,
    code: "IDEMPOTENCY_KEY_REUSED",
    message: "This idempotency key was used before with another body",
  },
  {
    when: "a refresh token is unknown",
    ask: () => requestToken(sim, { grant_type: "refresh_token", refresh_token: "rt_fake_x" }),
    status: 400,
    code: "INVALID_REFRESH_TOKEN",
    message: "Invalid refresh token",
    more: { error: "invalid_grant", error_description: "Invalid refresh token" },
  },
  {
    when: "a grant is not supported",
    ask: () => requestToken(sim, { grant_type: "implicit" }),
    status: 400,
    code: "UNSUPPORTED_GRANT_TYPE",
    message: 'The grant type must be client_credentials or refresh_token, not "implicit"',
    more: {
      error: "unsupported_grant_type",
      error_description: 'The grant type must be client_credentials or refresh_token, not "implicit"',
    },
  },
  {
    when: "there is no credential",
    ask: () => raw(INTENT, postJson({})),
    status: 401,
    code: "UNAUTHORIZED",
    message: "The header Authorization is missing",
  },
  {
    when: "an access token is invalid",
    ask: () => callWith("x", sim, INTENT, {}),
    status: 401,
    code: "UNAUTHORIZED",
    message: "Invalid access token",
  },
  {
    when: "the admin key is missing",
    ask: () => raw("/api/checkout/session/x", {}),
    status: 401,
    code: "UNAUTHORIZED",
    message: "The header X-Admin-Key is missing",
  },
  {
    when: "the admin key is wrong",
    ask: () => raw("/api/checkout/session/x", { headers: { "x-admin-key": "x" } }),
    status: 401,
    code: "UNAUTHORIZED",
    message: "Invalid admin key",
  },
  {
    when: "client credentials are wrong",
    ask: () => requestToken(sim, { client_id: "x", client_secret: "y" }),
    status: 401,
    code: "INVALID_CREDENTIALS",
    message: "Invalid credentials",
    more: { error: "invalid_client", error_description: "Invalid credentials" },
  },
  {
    when: "an intent is unknown",
    ask: () => callWith(access, sim, `${INTENT}/pi_x/status`),
    status: 404,
    code: "INTENT_NOT_FOUND",
    message: "The payment intent does not exist",
  },
  {
    when: "a session token is unknown",
    ask: () => callWith(access, sim, "/api/checkout/polling/x"),
    status: 404,
    code: "SESSION_NOT_FOUND",
    message: "Session not found",
  },
  {
    when: "an address is unknown",
    ask: () => callWith(access, sim, "/api/nothing"),
    status: 404,
    code: "NOT_FOUND",
    message: "There is nothing at /api/nothing",
  },
  {
    when: "an address does not take a method",
    ask: () => raw(INTENT, { method: "PUT" }),
    status: 405,
    code: "METHOD_NOT_ALLOWED",
    message: "/api/payment-intent does not take PUT; it takes POST",
  },
  {
    when: "an intent is confirmed while it is processing",
    ask: () => confirm(processing, APPROVED),
    status: 409,
    code: "INTENT_ALREADY_CONFIRMED",
    message: "The payment intent was already confirmed",
  },
  {
    when: "a canceled intent is confirmed",
    ask: () => confirm(canceled, APPROVED),
    status: 409,
    code: "INTENT_ALREADY_CONFIRMED",
    message: "The payment intent is canceled and cannot be confirmed",
  },
  {
    when: "a session that the customer cancelled is processed",
    ask: () => callWith(access, sim, `/api/checkout/process/${cancelled}`, APPROVED),
    status: 404,
    code: "SESSION_NOT_FOUND",
    message: "Session not found: the customer cancelled it",
  },
  {
    when: "a session is processed twice",
    ask: () => callWith(access, sim, `/api/checkout/process/${processed}`, APPROVED),
    status: 409,
    code: "INTENT_ALREADY_CONFIRMED",
    message: "The session is processing and cannot be processed again",
  },
  {
    when: "a body is larger than 1 MiB",
    ask: () => callWith(access, sim, INTENT, { description: "x".repeat(1_048_576) }),
    status: 413,
    code: "BODY_TOO_LARGE",
    message: "The body is larger than 1 MiB",
  },
  {
    when: "a body is of another type",
    ask: () => raw(INTENT, { method: "POST", body: "amount=1", headers: { authorization: `Bearer ${access}` } }),
    status: 415,
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: 'The content type must be application/json, not "text/plain"',
  },
];

const declines: readonly Condition[] = [
  {
    when: "the balance is insufficient",
    ask: async () => confirm(await intentId(), { paymentMethodId: "pm_card_insufficient_funds" }),
    status: 402,
    code: "INSUFFICIENT_FUNDS",
    message: "The customer's balance is insufficient",
  },
  {
    when: "a challenge is still open",
    ask: () => confirm(challenged, APPROVED),
    status: 402,
    code: "3D_SECURE_REQUIRED",
    message: "Authentication is needed; the customer has to act on the displayed details",
    more: { requiresAction: true, nextAction: { type: "display_details" } },
  },
  {
    when: "the processor is down",
    ask: async () => confirm(await intentId(), { paymentMethodId: "pm_card_processor_unavailable" }),
    status: 500,
    code: "INTERNAL_ERROR",
    message: "The processor is unavailable; try again",
  },
];

function expectAnswer({ status, headers, body }: Answer, expected: Condition): void {
  const { code, message, errors = [], more = {} } = expected;
  expect({ status, body }).toEqual({
    status: expected.status,
    body: {
      success: false,
      message,
      code,
      errors: errors.map(({ path, message: problem }) => ({ path, message: problem, code: "validation_error" })),
      ...more,
    },
  });
  expect(headers.get("content-type")).toBe("application/json");
}

describe("an error answers with its status, code, message and shape", () => {
  test.each([...conditions, ...declines])("when $when: $status $code", async (condition) => {
    expectAnswer(await condition.ask(), condition);
  });

  test("when too many requests came: 429 RATE_LIMITED, with the seconds to wait", async () => {
    const limited = createSimulator({ assumptions: { "http.rate-limit": { requests: 1, per: "90 seconds" } } });
    const token = (await tokensOf(limited)).access;
    await callWith(token, limited, "/api/checkout/polling/x");
    await limited.clock.advance("100 milliseconds");
    const answer = await callWith(token, limited, "/api/checkout/polling/x");
    expectAnswer(answer, {
      when: "",
      ask: () => Promise.resolve(answer),
      status: 429,
      code: "RATE_LIMITED",
      message: "Too many requests: 1 are allowed in 90 seconds",
    });
    expect(answer.headers.get("retry-after")).toBe("90");
  });

  test("no code of the table goes untested", () => {
    const elsewhere = new Set([
      "RATE_LIMITED",
      "INVALID_STATE",
      "IDEMPOTENCY_KEY_IN_USE",
      "PLAN_NOT_FOUND",
      "SUBSCRIPTION_NOT_FOUND",
      "TRANSACTION_NOT_FOUND",
    ]);
    const tested = new Set([...conditions, ...declines].map(({ code }) => code));
    expect(Object.keys(errorTable).filter((code) => !tested.has(code) && !elsewhere.has(code))).toEqual([]);
  });
});

describe("a refusal leaves the world as it was", () => {
  test.each(conditions)("when $when", async ({ ask }) => {
    const before = worldOf(sim);
    await ask();
    expect(worldOf(sim)).toEqual(before);
  });
});
