import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { call, dataOf, register, tokensOf } from "../authentication/calls.ts";

const limited = () => createSimulator({ assumptions: { "http.rate-limit": { requests: 2, per: "1 minute" } } });
const PATH = "/api/checkout/polling/x";

describe("a rate limit", () => {
  test("lets a merchant's requests through until the window is full, and again at the instant at which it ends", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    const ask = async (): Promise<number> => (await call(sim, access, PATH)).status;
    await sim.clock.advance("10 seconds");
    expect([await ask(), await ask(), await ask()]).toEqual([404, 404, 429]);
    await sim.clock.advance({ seconds: 59, milliseconds: 999 });
    const refused = await call(sim, access, PATH);
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
    for (let count = 0; count < 3; count += 1) await call(sim, access, PATH);
    const { clientId = "", clientSecret = "" } = dataOf(await register(sim));
    const { access: other } = await tokensOf(sim, { clientId, clientSecret });
    expect((await call(sim, access, PATH)).status).toBe(429);
    expect((await call(sim, other, PATH)).status).toBe(404);
  });

  test("counts a client key as its merchant", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    const { id, clientKey = "" } = dataOf(await call(sim, access, "/api/payment-intent", { amount: 1 }));
    expect((await call(sim, clientKey, `/api/payment-intent/${id}/status`)).status).toBe(200);
    expect((await call(sim, clientKey, `/api/payment-intent/${id}/status`)).status).toBe(429);
  });

  test("goes on counting in a restored world", async () => {
    const sim = limited();
    const { access } = await tokensOf(sim);
    await call(sim, access, PATH);
    const snapshot = sim.snapshot();
    await call(sim, access, PATH);
    sim.restore(snapshot);
    expect([(await call(sim, access, PATH)).status, (await call(sim, access, PATH)).status]).toEqual([404, 429]);
  });

  test("is none by default", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const answers = await Promise.all(Array.from({ length: 500 }, () => call(sim, access, PATH)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  });
});
