import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { ok } from "../merchant/answers.ts";
import { callWith, order, SHOP, tokensOf } from "../merchant/requests.ts";

/** Everything that a person or a log would see of a simulator. */
function printed(sim: Simulator): string {
  return JSON.stringify(sim.journal.entries) + String(sim.journal);
}

async function session(sim: Simulator, access: string): Promise<{ token: string; checkoutUrl: string }> {
  const created = ok(await callWith(access, sim, "/api/checkout", order()));
  return { token: String(created["sessionToken"]), checkoutUrl: String(created["checkoutUrl"]) };
}

/** What the journal shows of a token. */
const shown = (token: string): string => `${token.slice(0, 8)}…`;

describe("a session token is printed nowhere", () => {
  test("when the session is read, polled and processed", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { token } = await session(sim, access);
    const admin = { "x-admin-key": sim.credentials.adminKey };
    await callWith(access, sim, `/api/checkout/session/${token}`, undefined, admin);
    await callWith(access, sim, `/api/checkout/polling/${token}`);
    await callWith(access, sim, `/api/checkout/process/${token}`, { paymentMethodId: "pm_card_approved" });
    await callWith(access, sim, `/api/transactions/payment-sessions/${token}`);
    await sim.clock.advance("1 day");
    expect(printed(sim)).not.toContain(token);
    expect(String(sim.journal)).toContain(`GET /api/checkout/polling/${shown(token)}\n`);
  });

  test("when the customer pays, cancels or leaves, and a challenge leads back to an address that holds it", async () => {
    const sim = createSimulator();
    sim.connect(SHOP, () => new Response());
    const { access } = await tokensOf(sim);
    const [paid, cancelled, left] = [
      await session(sim, access),
      await session(sim, access),
      await session(sim, access),
    ];
    await sim.customer.pay(paid.checkoutUrl, "pm_card_approved");
    await sim.customer.cancel(cancelled.checkoutUrl);
    await sim.customer.abandon(left.checkoutUrl);
    const { id } = ok(
      await callWith(access, sim, "/api/payment-intent", { amount: 100, returnUrl: `${SHOP}/carts/${left.token}` }),
    );
    const { redirectUrl } = ok(
      await callWith(access, sim, `/api/payment-intent/${String(id)}/confirm`, {
        paymentMethodId: "pm_card_challenge",
      }),
    );
    await sim.customer.authenticate(String(redirectUrl));
    const pages = sim.journal.entries.flatMap(({ kind, details }) =>
      kind === "customer" ? [details.at ?? details.to] : [],
    );
    expect(pages).toContain(`/pay/${shown(cancelled.token)}`);
    expect(pages).toContain(`${SHOP}/carts/${shown(left.token)}`);
    for (const { token } of [paid, cancelled, left]) expect(printed(sim)).not.toContain(token);
  });

  test("in a body, a query and the address of a webhook", async () => {
    const sim = createSimulator();
    sim.connect(SHOP, () => new Response());
    const { access } = await tokensOf(sim);
    const { token } = await session(sim, access);
    await callWith(access, sim, "/api/subscription/process-payment", {
      sessionToken: token,
      paymentMethodId: "pm_card_approved",
    });
    await callWith(access, sim, `/api/transactions?sessionToken=${token}&session-token=${token.toUpperCase()}`);
    const webhookUrl = `${SHOP}/hooks/${token}?session=${token}&next=${encodeURIComponent(`/pay/${token}`)}`;
    const { id } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100, webhookUrl }));
    await callWith(access, sim, `/api/payment-intent/${String(id)}/confirm`, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    expect(sim.webhooks.events().map(({ status }) => status)).toContain("delivered");
    expect(printed(sim).toLowerCase()).not.toContain(token);
    expect(printed(sim)).toContain(`${SHOP}/hooks/${shown(token)}?session=${shown(token)}&next=/pay/${shown(token)}`);
  });

  test.each<[string, (token: string) => string]>([
    ["on a method that the page does not take", (token) => `/pay/${token}`],
    ["behind a slash too many", (token) => `/pay//${token}/`],
    ["at an address that the service does not have", (token) => `/api/checkout/poll/${token}/status`],
    ["in percent-encoding", (token) => `/pay/%${token.charCodeAt(0).toString(16)}${token.slice(1)}`],
    ["in capitals", (token) => `/PAY/${token.toUpperCase()}`],
    ["with more behind it", (token) => `/pay/${token}.json`],
    ["in percent-encoding of percent-encoding", (token) => `/pay%25252F${token}`],
  ])("%s, which is refused", async (_, pathOf) => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { token } = await session(sim, access);
    const refused = await sim.fetch(pathOf(token), { method: "DELETE" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    const paths = sim.journal.entries.flatMap(({ kind, details }) => (kind === "request" ? [details.path] : []));
    expect(paths.at(-1)?.toLowerCase()).toContain(shown(token));
    expect(printed(sim).toLowerCase()).not.toContain(token.slice(9));
  });
});

test("two sessions are told apart", async () => {
  const sim = createSimulator();
  const { access } = await tokensOf(sim);
  const [one, other] = [await session(sim, access), await session(sim, access)];
  expect(shown(one.token)).not.toBe(shown(other.token));
});

test("a merchant's own ids of that shape stay", async () => {
  const sim = createSimulator();
  const { access } = await tokensOf(sim);
  const id = "0b5f3f5c-6a53-4b6e-9d7f-3b1c5f9a2e11";
  const body = { amount: 1, externalId: id, description: `order ${id}` };
  await callWith(access, sim, "/api/payment-intent", body, { "idempotency-key": id });
  const entry = sim.journal.entries.find(({ details }) => "idempotencyKey" in details);
  expect(entry?.details).toMatchObject({ idempotencyKey: id, body: { externalId: id, description: `order ${id}` } });
});

test("every route that is reached by a session token declares it a secret", () => {
  const named = routesIn(paymentService).filter(({ path }) => path.includes("{sessionToken}"));
  expect(named).toHaveLength(7);
  expect(named.filter(({ secrets }) => !("sessionToken" in (secrets ?? {})))).toEqual([]);
});
