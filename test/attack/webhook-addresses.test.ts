import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { isIP } from "node:net";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { serve } from "centavo/server";
import type { ServeOptions } from "centavo/server";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";

interface Receiver {
  readonly port: number;
  /** The paths that were asked for. */
  readonly got: string[];
}

afterEach(() => vi.restoreAllMocks());

async function receiver(
  answer: RequestListener = (_request, response) => response.end(),
  host = "127.0.0.1",
): Promise<Receiver> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    got.push(request.url ?? "");
    answer(request, response);
  });
  await once(server.listen(0, host), "listening");
  onTestFinished(() => server.close().closeAllConnections());
  return { port: (server.address() as AddressInfo).port, got };
}

/** Lets names lead to addresses, one after the other. */
function resolver(...answers: readonly (readonly string[])[]): { asked: string[] } {
  const asked: string[] = [];
  const { lookup } = dns;
  const lie = (name: string, options: { all?: boolean }, callback: (...given: unknown[]) => void): void => {
    // Servers look their own addresses up, too.
    if (isIP(name) !== 0) return lookup(name, options as never, callback as never);
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(name);
    const found = answer.map((address) => ({ address, family: isIP(address) }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address, found[0]?.family);
  };
  vi.spyOn(dns, "lookup").mockImplementation(lie as never);
  return { asked };
}

/** Pays once under a server, and returns what became of the webhook. */
async function deliver(webhookUrl: string, options: ServeOptions = {}): Promise<{ sim: Simulator; outcome: string }> {
  const sim = createSimulator({ webhookUrl, receiverTimeout: 1000 });
  const server = await serve(sim, options);
  onTestFinished(() => server.close());
  const { clientId, clientSecret } = sim.credentials;
  const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const { access_token } = (await (await fetch(`${server.url}/oauth`, { method: "POST", body: form })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  await fetch(`${server.url}/api/payment-intent`, { method: "POST", headers, body: '{"amount":10000}' });
  sim.intents.cancel(sim.intents.last()?.id ?? "");
  await sim.clock.settle();
  const [attempt] = sim.webhooks.attempts();
  return { sim, outcome: JSON.stringify(attempt) };
}

describe("a webhook goes to no other machine", () => {
  test.each([
    "http://10.0.0.7/hooks",
    "http://167772167/hooks",
    "http://0xa000007/hooks",
    "http://012.0.0.07/hooks",
    "http://10.7/hooks",
    "http://[::ffff:10.0.0.7]/hooks",
    "http://[::ffff:a00:7]/hooks",
    "http://[fe80::1]/hooks",
    "http://[64:ff9b::7f00:1]/hooks",
    "http://169.254.169.254/latest/meta-data",
    "http://rebind.evil.example/hooks",
    "http://127.0.0.1.evil.example/hooks",
    "http://localhost.evil.example/hooks",
    "http://128.0.0.1/hooks",
    "https://shop.example/hooks",
  ])("%s", async (url) => {
    const { asked } = resolver(["127.0.0.1"]);
    expect((await deliver(url)).outcome).toContain("--allow-webhooks-to");
    expect(asked).toEqual([]);
  });
});

describe("a webhook reaches this machine, however its address is written", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "shop.localhost",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
  ])("%s", async (host) => {
    const { got, port } = await receiver();
    if (host === "shop.localhost") resolver(["127.0.0.1"]);
    expect((await deliver(`http://${host}:${port}/hooks`)).outcome).toContain('"status":200');
    expect(got).toEqual(["/hooks"]);
  });
});

describe("a resolver that lies", () => {
  test.each([["10.0.0.7"], ["::ffff:10.0.0.7"], ["169.254.169.254"], ["fe80::1"]])(
    "and lets localhost lead to %s reaches nothing",
    async (address) => {
      resolver([address]);
      expect((await deliver("http://localhost:9/hooks")).outcome).toContain(
        `leads to ${address}, which is not an address of this machine`,
      );
    },
  );

  test("and adds another machine to the addresses of this one reaches nothing", async () => {
    const { port, got } = await receiver();
    resolver(["127.0.0.1", "10.0.0.7"]);
    expect((await deliver(`http://localhost:${port}/hooks`)).outcome).toContain("leads to 10.0.0.7");
    expect(got).toEqual([]);
  });

  test("and answers otherwise the second time is asked once: the socket connects to what was looked at", async () => {
    const { port, got } = await receiver();
    const { asked } = resolver(["127.0.0.1"], ["10.0.0.7"]);
    expect((await deliver(`http://shop.localhost:${port}/hooks`)).outcome).toContain('"status":200');
    expect(asked).toEqual(["shop.localhost"]);
    expect(got).toEqual(["/hooks"]);
  });

  test("and lies from the second delivery on is looked at again", async () => {
    const { port, got } = await receiver((_request, response) => response.writeHead(500).end());
    resolver(["127.0.0.1"], ["10.0.0.7"]);
    const { sim } = await deliver(`http://shop.localhost:${port}/hooks`);
    await sim.clock.advance("1 hour");
    expect(got).toEqual(["/hooks"]);
    expect(JSON.stringify(sim.webhooks.attempts())).toContain("leads to 10.0.0.7");
  });
});

describe("a redirect is not followed", () => {
  test.each([301, 302, 303, 307, 308])("%i", async (status) => {
    const elsewhere = await receiver();
    const location = `http://127.0.0.1:${elsewhere.port}/elsewhere`;
    const { port } = await receiver((_request, response) => response.writeHead(status, { location }).end());
    expect((await deliver(`http://127.0.0.1:${port}/hooks`)).outcome).toContain(`"status":${status}`);
    expect(elsewhere.got).toEqual([]);
  });
});

describe("an answer is bounded", () => {
  test("in size: what comes behind the excerpt is not read", async () => {
    let sent = 0;
    const left = Promise.withResolvers<void>();
    const { port } = await receiver((_request, response) => {
      response.on("close", () => left.resolve());
      const pour = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536))) sent += 65_536;
      };
      response.on("drain", pour);
      pour();
    });
    const { sim, outcome } = await deliver(`http://127.0.0.1:${port}/hooks`);
    expect(outcome).toContain('"status":200');
    await left.promise;
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect(JSON.stringify(sim.journal.entries).length).toBeLessThan(20_000);
  });

  test("in headers", async () => {
    const { port } = await receiver((_request, response) => response.writeHead(200, { x: "a".repeat(100_000) }).end());
    expect((await deliver(`http://127.0.0.1:${port}/hooks`)).outcome).toMatch(/could not be reached|Header overflow/);
  });

  test("in time", async () => {
    const { port } = await receiver((_request, response) => void response.write("x"));
    expect((await deliver(`http://127.0.0.1:${port}/hooks`)).outcome).toContain("timeout");
  });
});

describe("a host that is named gets webhooks", () => {
  test("at the address to which it leads", async () => {
    const { port, got } = await receiver();
    const { asked } = resolver(["127.0.0.1"]);
    const { outcome } = await deliver(`http://shop.example:${port}/hooks`, { allowedWebhookHosts: ["shop.example"] });
    expect(outcome).toContain('"status":200');
    expect([asked, got]).toEqual([["shop.example"], ["/hooks"]]);
  });

  test.each([
    [["shop.example"], "http://evil.shop.example/hooks"],
    [["shop.example"], "http://shop.example.evil.example/hooks"],
    [["shop.example:3000"], "http://shop.example/hooks"],
    [["shop.example:443"], "http://shop.example/hooks"],
    [["10.0.0.7"], "http://10.0.0.70/hooks"],
  ])("%j, and not %s", async (allowedWebhookHosts, url) => {
    const { asked } = resolver(["127.0.0.1"]);
    expect((await deliver(url, { allowedWebhookHosts })).outcome).toContain("--allow-webhooks-to");
    expect(asked).toEqual([]);
  });

  test.each(["a named world", "a fork with its connections"])("in %s too", async (which) => {
    const { port, got } = await receiver();
    resolver(["127.0.0.1"]);
    const server = await serve(createSimulator(), { allowedWebhookHosts: ["shop.example"] });
    onTestFinished(() => server.close());
    const headers = { authorization: `Bearer ${server.token}` };
    const body = JSON.stringify({ webhookUrl: `http://shop.example:${port}/hooks`, clock: "auto" });
    const opened = await fetch(`${server.url}/_centavo/worlds/a`, { method: "PUT", headers, body });
    const world = (await opened.json()) as { baseUrl: string; controlUrl: string; credentials: Record<string, string> };
    const fork = () => fetch(`${world.controlUrl}/fork`, { method: "POST", headers, body: '{"connect":true}' });
    const { baseUrl, credentials } =
      which === "a named world" ? world : ((await (await fork()).json()) as typeof world);
    const form = new URLSearchParams({
      client_id: credentials["clientId"] ?? "",
      client_secret: credentials["clientSecret"] ?? "",
    });
    const { access_token } = (await (await fetch(`${baseUrl}/oauth`, { method: "POST", body: form })).json()) as {
      access_token: string;
    };
    const json = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
    const made = await fetch(`${baseUrl}/api/payment-intent`, {
      method: "POST",
      headers: json,
      body: '{"amount":10000}',
    });
    const { data } = (await made.json()) as { data: { id: string } };
    await fetch(`${baseUrl}/api/payment-intent/${data.id}/confirm`, {
      method: "POST",
      headers: json,
      body: '{"paymentMethodId":"pm_card_approved"}',
    });
    await expect.poll(() => got.length).toBeGreaterThan(0);
  });
});
