import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { ok } from "../merchant/answers.ts";
import { callWith, register, tokensOf } from "../merchant/requests.ts";

const limited = () => createSimulator({ assumptions: { "http.rate-limit": { requests: 2, per: "1 minute" } } });
const PATH = "/api/checkout/polling/x";

describe("a rate limit", () => {
  test("lets a merchant's requests through until the window is full, and again at the instant at which it ends", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    const ask = async (): Promise<number> => (await callWith(access, sim, PATH)).status;
    await sim.clock.advance("10 seconds");
    expect([await ask(), await ask(), await ask()]).toEqual([404, 404, 429]);
    await sim.clock.advance({ seconds: 59, milliseconds: 999 });
    const refused = await callWith(access, sim, PATH);
    expect([refused.status, refused.body["code"], refused.headers.get("retry-after")]).toEqual([
      429,
      "RATE_LIMITED",
      "1",
    ]);
    await sim.clock.advance("1 millisecond");
    expect([await ask(), await ask(), await ask()]).toEqual([404, 404, 429]);
  });

  test("counts each merchant by itself, and the token call not at all", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    for (let count = 0; count < 3; count += 1) await callWith(access, sim, PATH);
    const { clientId = "", clientSecret = "" } = ok(await register(sim));
    const { access: other } = await tokensOf(sim, { clientId, clientSecret });
    expect((await callWith(access, sim, PATH)).status).toBe(429);
    expect((await callWith(other, sim, PATH)).status).toBe(404);
  });

  test("counts a client key as its merchant", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    const { id, clientKey = "" } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 1 }));
    expect((await callWith(clientKey, sim, `/api/payment-intent/${id}/status`)).status).toBe(200);
    expect((await callWith(clientKey, sim, `/api/payment-intent/${id}/status`)).status).toBe(429);
  });

  test("goes on counting in a restored world", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    await callWith(access, sim, PATH);
    const snapshot = sim.snapshot();
    await callWith(access, sim, PATH);
    sim.restore(snapshot);
    expect([(await callWith(access, sim, PATH)).status, (await callWith(access, sim, PATH)).status]).toEqual([
      404, 429,
    ]);
  });

  test("is off by default", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const answers = await Promise.all(Array.from({ length: 500 }, () => callWith(access, sim, PATH)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });
});
