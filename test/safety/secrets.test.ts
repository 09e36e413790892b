import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ok } from "../merchant/answers.ts";
import { callWith, requestToken, tokensOf } from "../merchant/requests.ts";

const CARD = "5555444444444457";
const CVC = "8317";

/** Everything that a person or a log would see of a simulator. */
function printed(sim: Simulator): string {
  return JSON.stringify(sim.journal.entries) + sim.journal.toString();
}

describe("card data sent everywhere", () => {
  const card = { cardNumber: CARD, expMonth: "12", expYear: "2030", cvc: CVC };
  const spaced = "5555 4444-4444 4457";

  test("never reaches a snapshot, whether sent in its own fields or in addresses, keys and forms", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { id } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 100 }));
    const confirm = `/api/payment-intent/${id}/confirm`;
    await callWith(access, sim, confirm, { paymentMethodId: CARD }, { "idempotency-key": CARD });
    await callWith(access, sim, `${confirm}?card=${CARD}&cvc=${CVC}`, {
      ...card,
      paymentMethodId: spaced,
      number: CARD,
      cvc: CVC,
    });
    await callWith(access, sim, `/api/payment-intent/${CARD}-${CVC}/status?number=${CARD}`);
    await callWith(access, sim, `/api/payment-intent/${encodeURIComponent(`${spaced} ${CVC}`)}/status`);
    await callWith(access, sim, `/${CARD}/${CVC}`);
    await requestToken(sim, { client_id: CARD, client_secret: CVC, refresh_token: CARD, scope: `${CARD} ${CVC}` });
    const confirmed = await callWith(
      access,
      sim,
      confirm,
      { paymentMethod: "card", creditCardDetails: card, cvc: CVC },
      { "idempotency-key": `${CARD} ${CVC}` },
    );
    expect(confirmed.status).toBe(200);
    const session = await callWith(access, sim, "/api/checkout", {
      externalId: "o",
      amount: 1,
      description: "d",
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/back",
      contact: { name: "A", email: "a" },
    });
    await sim.customer.pay(String(ok(session)["checkoutUrl"]), card);
    sim.paymentMethods.create(card);
    await sim.clock.advance("1 day");

    const world = JSON.stringify(sim.snapshot()) + sim.journal.toString();
    expect(world).not.toContain(CARD);
    expect(world).not.toContain(spaced);
    expect(world).not.toContain(encodeURIComponent(spaced));
    expect(world).not.toContain(CVC);
    expect(world).toContain("4457");
  });

  test("in the merchant's own data comes back as sent, and is not printed", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const metadata = {
      cvc: CVC,
      securityCode: CVC,
      card: `${CARD} 12/30 ${CVC}`,
      number: Number(CARD),
      list: [spaced],
      [CARD]: "key",
    };
    await callWith(access, sim, "/api/payment-intent", {
      amount: 1,
      metadata,
      description: `card ${spaced}.`,
      externalId: CARD,
    });
    await callWith(access, sim, "/api/payment-intent", { amount: 1, externalId: CARD, [CARD]: 1 });
    expect(sim.intents.list()[0]?.metadata).toEqual(metadata);
    expect(printed(sim)).not.toContain(CARD);
    expect(printed(sim)).not.toContain(spaced);
    expect(printed(sim)).not.toContain(CVC);
  });

  test("in a fault is answered as planned, and is not printed", async () => {
    const sim = createSimulator();
    const { adminKey } = sim.credentials;
    const body = { card, adminKey, note: spaced };
    sim.faults.add({ kind: "request.status", status: 500, body, headers: { "x-note": CARD }, paymentMethod: CARD });
    sim.faults.add({ kind: "request.status", status: 500, body, headers: { "x-note": CARD } });
    const response = await sim.fetch("/oauth", { method: "POST" });
    expect([await response.json(), response.headers.get("x-note")]).toEqual([body, CARD]);
    for (const secret of [CARD, CVC, spaced, adminKey]) expect(printed(sim)).not.toContain(secret);
  });
});

describe("secrets placed anywhere in a request", () => {
  const base = createSimulator();

  test("are never printed", async () => {
    const tokens = await tokensOf(base);
    const { clientKey = "" } = ok(await callWith(tokens.access, base, "/api/payment-intent", { amount: 1 }));
    const { clientId, clientSecret, adminKey, webhookSecret } = base.credentials;
    const basic = btoa(`${clientId}:${clientSecret}`);
    const secrets = [
      tokens.access,
      tokens.refresh,
      clientKey,
      clientSecret,
      adminKey,
      webhookSecret,
      basic,
      CARD,
      spacedOut(CARD),
    ];
    const around = fc.string({ maxLength: 8 }).filter((text) => !/\d$/.test(text) && !/^\d/.test(text));
    const placement = fc.record({
      secret: fc.constantFrom(...secrets),
      before: around,
      after: around.map((text) => text.replace(/^[\w+/=.-]+/, " ")),
      place: fc.constantFrom(
        "description",
        "externalId",
        "metadata",
        "metadata key",
        "unknown field",
        "unknown name",
        "path",
        "query",
        "idempotency key",
        "method id",
        "form",
        "contact",
      ),
    });

    await fc.assert(
      fc.asyncProperty(placement, async ({ secret, before, after, place }) => {
        const sim = base.fork();
        const known = sim.journal.entries.length;
        const text = before + secret + after;
        await sendIn(sim, tokens.access, place, text);
        const entries = sim.journal.entries.slice(known);
        const seen = JSON.stringify(entries) + sim.journal.toString().split("\n").slice(known).join("\n");
        expect(entries.length).toBeGreaterThan(0);
        expect(seen).not.toContain(secret);
        expect(seen).not.toContain(encodeURIComponent(secret));
        // Half a secret is one too many.
        expect(seen).not.toContain(secret.slice(-12));
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});

function spacedOut(card: string): string {
  return card.replaceAll(/(\d{4})(?=\d)/g, "$1 ");
}

async function sendIn(sim: Simulator, access: string, place: string, text: string): Promise<void> {
  const intent = "/api/payment-intent";
  const post = (body: unknown, headers: Record<string, string> = {}): Promise<unknown> =>
    callWith(access, sim, intent, body, headers);
  const places: Record<string, () => Promise<unknown>> = {
    description: () => post({ amount: 1, description: text }),
    // The second use is noted too.
    externalId: async () => [await post({ amount: 1, externalId: text }), await post({ amount: 1, externalId: text })],
    metadata: () => post({ amount: 1, metadata: { deep: [{ text }] } }),
    "metadata key": () => post({ amount: 1, metadata: { [text]: 1 } }),
    "unknown field": () => post({ amount: 1, password: text, other: text }),
    "unknown name": () => post({ amount: 1, [text]: 1 }),
    path: () => callWith(access, sim, `${intent}/${encodeURIComponent(text)}/status`),
    query: () => callWith(access, sim, `/api/checkout/polling/x?token=${encodeURIComponent(text)}`),
    "idempotency key": () => post({ amount: 1 }, { "idempotency-key": text.replaceAll(/[^\x20-\x7e]/g, "?") }),
    "method id": () => callWith(access, sim, `${intent}/pi_x/confirm`, { paymentMethodId: text }),
    form: () =>
      sim.fetch("/oauth", {
        method: "POST",
        body: new URLSearchParams({ client_id: text, client_secret: text, refresh_token: text }),
      }),
    contact: () => post({ amount: 1, contact: { name: text, email: text } }),
  };
  await places[place]?.();
}
