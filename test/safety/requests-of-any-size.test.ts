import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { hostileRequests } from "./hostile-requests.ts";
import { tokensOf } from "../merchant/requests.ts";
import { growthOf, MOST_GROWTH } from "./growth.ts";

describe.each(["ignore", "refuse"] as const)("with unknown fields to %s", (unknownFields) => {
  test.each(hostileRequests)("work grows no faster than a request of: $what", async ({ of }) => {
    const sim = createSimulator({ assumptions: { "http.unknown-fields": unknownFields }, keep: 1 });
    const { access } = await tokensOf(sim);
    const growth = await growthOf((size) => {
      const { path, init } = of(size);
      const headers = new Headers(init.headers);
      if (!headers.has("authorization")) headers.set("authorization", `Bearer ${access}`);
      return async () => {
        const answer = await sim.fetch(path, { ...init, headers });
        expect(answer.status).toBeLessThan(500);
        await answer.text();
        expect(String(sim.journal)).not.toContain("defect");
      };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});
