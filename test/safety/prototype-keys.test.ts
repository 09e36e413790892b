import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { callWith, tokensOf } from "../merchant/requests.ts";

const METADATA =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":"x","hasOwnProperty":3}';

/** Sends JSON text as it stands: an object literal would take `__proto__` for the prototype. */
function send(url: string, access: string, body: string): RequestInit & { url: string } {
  return {
    url,
    method: "POST",
    headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
    body,
  };
}

describe("names that mean something to JavaScript mean nothing here", () => {
  test("metadata comes back as sent, everywhere", async () => {
    const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
    const { access } = await tokensOf(sim);
    const { url, ...checkout } = send(
      "/api/checkout",
      access,
      `{"externalId":"o","amount":1,"description":"d","webhookUrl":"https://s.example","returnUrl":"https://s.example","contact":{"name":"A","email":"a"},"metadata":${METADATA}}`,
    );
    const { data } = (await (await sim.fetch(url, checkout)).json()) as { data: { sessionToken: string } };
    await callWith(access, sim, `/api/checkout/process/${data.sessionToken}`, { paymentMethodId: "pm_card_approved" });
    const session = await sim.fetch(`/api/checkout/session/${data.sessionToken}`, {
      headers: { "x-admin-key": sim.credentials.adminKey },
    });
    expect(await session.text()).toContain(`"metadata":${METADATA}`);
    const bodies = Object.values(sim.snapshot().world.tables["webhook-events"] ?? {}).map(
      ([, event]) => (event as { body: string }).body,
    );
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toContain(`"metadata":${METADATA}`);
  });

  test("metadata survives a snapshot, and its restoration from a file", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { url, ...create } = send("/api/payment-intent", access, `{"amount":1,"metadata":${METADATA}}`);
    await sim.fetch(url, create);
    const restored = createSimulator();
    restored.restore(JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<typeof sim.snapshot>);
    expect(JSON.stringify(restored.intents.last()?.metadata)).toBe(METADATA);
    expect(restored.journal.digest()).toBe(sim.journal.digest());
  });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"])(
    "%s is an unknown field like any other, at the top and below",
    async (name) => {
      const sim = createSimulator({ assumptions: { "http.unknown-fields": "refuse" } });
      const { access } = await tokensOf(sim);
      const { url, ...create } = send(
        "/api/payment-intent",
        access,
        `{"amount":1,"${name}":{"polluted":1},"contact":{"${name}":{"polluted":1}}}`,
      );
      const { errors } = (await (await sim.fetch(url, create)).json()) as { errors: { path: string }[] };
      expect(errors.map(({ path }) => path).toSorted()).toEqual([name, `contact.${name}`].toSorted());
    },
  );

  test("no prototype provides a required field", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const { url, ...create } = send("/api/payment-intent", access, '{"__proto__":{"amount":100}}');
    expect((await sim.fetch(url, create)).status).toBe(400);
  });

  test("form fields and query parameters of these names are plain text", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    expect(
      (
        await sim.fetch("/oauth", {
          method: "POST",
          body: new URLSearchParams({ ["__proto__"]: "x", constructor: "y" }),
        })
      ).status,
    ).toBe(400);
    expect((await callWith(access, sim, "/api/checkout/polling/x?__proto__=1&constructor=2&toString=3")).status).toBe(
      404,
    );
  });

  test("nothing was polluted by any of this", () => {
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
