import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { expect, test } from "vitest";

test("a remote simulator moves the clock of the server's world", async () => {
  const sim = createSimulator({ now: "2026-01-31T00:00:00Z" });
  await using server = await serve(sim);
  const remote = connectSimulator(server.url, { token: server.token });
  await remote.clock.advance("1 month");
  expect(await remote.clock.now()).toBe("2026-02-28T00:00:00.000Z");
  expect(sim.clock.now()).toBe("2026-02-28T00:00:00.000Z");
  await expect(remote.clock.advance("soon")).rejects.toMatchObject({ code: "INVALID_DURATION" });
});
