import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { expect, test } from "vitest";
import { cert, key } from "../self-signed.ts";

async function failureOf(webhookUrl: string): Promise<string> {
  await using sim = createSimulator({ webhookUrl });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 5000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  return await sim.clock.settle({ strict: true }).then(
    () => "settled",
    (error: unknown) => String(error),
  );
}

test.for([
  "http://host.docker.internal:3000",
  "http://shop:3000",
  "https://abc.tunnel.example",
  "http://192.168.0.7:3000",
  `https://${"a".repeat(63)}.${"b".repeat(63)}.example`,
])("a webhook to a shop at %s is refused with every way out", async (origin) => {
  const failure = await failureOf(`${origin}/hooks`);
  expect(failure).toContain(`sim.connect("${origin}", app)`);
  expect(failure).toContain("the loopback address of its published port as webhookUrl");
  expect(failure).toContain("connect { fetch: (request) => fetch(request) }");
});

test("a webhook to a server of this machine with its own certificate is refused with every way out", async () => {
  const server = createServer({ key, cert }, (_request, response) => response.end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const failure = await failureOf(`https://localhost:${port}/hooks`);
  expect(failure).toContain("has a certificate that this process does not trust (DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(failure).toContain("NODE_EXTRA_CA_CERTS");
  expect(failure).toContain(
    `serve http on port ${port}, or connect the app with sim.connect("https://localhost:${port}", app)`,
  );
  server.close();
});

test("a function that forwards reaches a shop at any host", async () => {
  await using sim = createSimulator({ webhookUrl: "http://shop:3000/hooks" });
  const seen: string[] = [];
  sim.connect("http://shop:3000", { fetch: (request) => standIn(request) });
  async function standIn(request: Request): Promise<Response> {
    seen.push(`${request.method} ${request.url} ${((await request.json()) as { type: string }).type}`);
    return new Response();
  }
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  const { id } = await client.paymentIntents.create({ amount: 5000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle({ strict: true });
  expect(seen).toContain("POST http://shop:3000/hooks payment_intent.succeeded");
});
