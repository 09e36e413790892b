import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { callWith, requestToken, tokensOf } from "../merchant/requests.ts";

/** How many rows a table of a world has. */
function size(sim: Simulator, table: string): number {
  return sim.snapshot().world.tables[table]?.length ?? 0;
}

describe("a bounded history", () => {
  test("keeps tokens that have not expired, and forgets those that have", async () => {
    const sim = createSimulator({ keep: 1 });
    const first = await tokensOf(sim);
    for (let count = 0; count < 200; count += 1) await tokensOf(sim);
    expect((await callWith(first.access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
    expect([size(sim, "access-tokens"), size(sim, "refresh-tokens")]).toEqual([201, 201]);

    await sim.clock.advance("2 hours");
    for (let count = 0; count < 100; count += 1) await tokensOf(sim);
    expect([size(sim, "access-tokens"), size(sim, "refresh-tokens")]).toEqual([100, 301]);
    expect((await callWith(first.access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(401);
    await sim.clock.advance("1 year");
    for (let count = 0; count < 200; count += 1) await tokensOf(sim);
    expect(size(sim, "refresh-tokens")).toBeLessThan(300);
  });

  test("keeps a family of refresh tokens that has ended until the last of them has expired", async () => {
    const sim = createSimulator({ keep: 1 });
    const refresh = (token: string) => requestToken(sim, { grant_type: "refresh_token", refresh_token: token });
    const latest: string[] = [];
    const endFamilies = async (count: number): Promise<void> => {
      for (let index = 0; index < count; index += 1) {
        const first = await tokensOf(sim);
        latest.push(String((await refresh(first.refresh)).body["refresh_token"]));
        await refresh(first.refresh);
      }
    };
    await endFamilies(100);
    expect(size(sim, "ended-refresh-token-families")).toBe(100);
    for (const token of latest) expect((await refresh(token)).status).toBe(400);
    await sim.clock.advance("1 year");
    await endFamilies(100);
    expect(size(sim, "ended-refresh-token-families")).toBeLessThan(170);
  });
});
