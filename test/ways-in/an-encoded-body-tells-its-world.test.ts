import { gzipSync } from "node:zlib";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { expect, test } from "vitest";

test("worlds that share an address are told apart by credentials in a compressed body", async () => {
  await using first = createSimulator({ seed: "first" });
  await using second = createSimulator({ seed: "second" });
  intercept([first, second]);
  for (const { baseUrl, credentials } of [second, first]) {
    const { clientId, clientSecret } = credentials;
    const body = gzipSync(JSON.stringify({ client_id: clientId, client_secret: clientSecret }));
    const answer = await fetch(`${baseUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: new Uint8Array(body),
    });
    expect(answer.status).toBe(200);
  }
});
