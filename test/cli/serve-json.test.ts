import { createClient } from "centavo/client";
import { expect, test } from "vitest";
import { served } from "./served.ts";
import type { Greeting } from "./served.ts";

test("--json prints one line that a script can read, and nothing for requests", async () => {
  const { server, printed } = await served({ json: true, seed: "a", now: "2030-05-01T00:00:00Z", clock: "manual" });
  expect(printed).toHaveLength(1);
  expect(printed[0]).not.toContain("\n");
  const greeting = JSON.parse(printed[0] ?? "") as Greeting;
  expect(greeting).toMatchObject({
    url: server.url,
    baseUrl: server.url,
    authUrl: server.url,
    controlUrl: server.controlUrl,
    controlToken: server.token,
    inspector: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_centavo#code=[\w-]{32}$/) as string,
    seed: "a",
    now: "2030-05-01T00:00:00.000Z",
  });
  const client = createClient({ baseUrl: greeting.baseUrl, ...greeting.credentials });
  expect((await client.paymentIntents.create({ amount: 10_000 })).amount).toBe(10_000);
  const clock = await fetch(`${greeting.controlUrl}/clock`, {
    headers: { authorization: `Bearer ${greeting.controlToken}` },
  });
  expect(clock.status).toBe(200);
  expect(printed).toHaveLength(1);
});
