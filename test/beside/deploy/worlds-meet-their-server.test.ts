import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { connectSimulator, createClient } from "centavo/client";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../free-port.ts";
import { startRouter, startServers } from "../../routed.ts";
import { errorOf, open, worlds } from "../../server/served.ts";

const program = join(import.meta.dirname, "../../../src/cli/main.ts");
const names = Array.from({ length: 24 }, (_, index) => `checkout-${index}`);

test("a world always meets the server that has it, also after that was killed", async () => {
  await using routed = await startServers(3, program);
  const { router, token, servers } = routed;
  const through = { url: router.url, token };
  const opened = await Promise.all(names.map((name) => open(through, name)));

  const held = await Promise.all(
    servers.map(async ({ url }) => {
      const answer = (await (await worlds({ url, token }, "", "GET")).json()) as { worlds: { name: string }[] };
      return answer.worlds.map(({ name }) => name);
    }),
  );
  expect(held.flat().toSorted()).toEqual(names.toSorted());
  for (const own of held) expect(own.length).toBeGreaterThan(0);

  // Every path of a world, through another router too. A server answers 404 for the world of another.
  using second = startRouter(
    await freePort(),
    servers.map(({ url }) => Number(new URL(url).port)),
  );
  for (const { name, baseUrl, credentials } of opened) {
    expect(baseUrl).toBe(`${router.url}/worlds/${name}`);
    const client = createClient({ ...credentials, baseUrl });
    await client.paymentIntents.create({ amount: 10_000, externalId: name });
    for (const { url } of [router, second]) {
      expect((await worlds({ url, token }, `/${name}`, "GET")).status).toBe(200);
      const metadata = await fetch(`${url}/.well-known/oauth-authorization-server/worlds/${name}`);
      expect(await metadata.json()).toMatchObject({ issuer: baseUrl });
      expect(await connectSimulator(`${url}/worlds/${name}`, { token }).intents.list()).toHaveLength(1);
    }
    expect(await (await connectSimulator(baseUrl, { token }).fork()).intents.list()).toHaveLength(1);
  }
  const ofDefault = connectSimulator(router.url, { token });
  expect(await (await ofDefault.fork()).baseUrl).toMatch(/\/worlds\/default\.fork-\d+$/);
  expect(await (await ofDefault.fork()).intents.list()).toEqual([]);

  // No other server answers for a world while its own is away.
  const [own = []] = held;
  await servers[0]?.kill();
  for (const name of names)
    expect((await worlds(through, `/${name}`, "GET")).status, name).toBe(own.includes(name) ? 503 : 200);
  await servers[0]?.start();
  for (const name of names)
    expect(await connectSimulator(`${router.url}/worlds/${name}`, { token }).intents.list()).toHaveLength(1);
});

test("another server takes over its share of the names, and no other name moves", async () => {
  const ports = [await answering(0), await answering(1), await answering(2), await answering(3)];
  const meets = async (count: number): Promise<readonly number[]> => {
    using router = startRouter(await freePort(), ports.slice(0, count));
    // Before the router ends.
    return await Promise.all(
      Array.from({ length: 400 }, async (_, index) =>
        Number(await (await fetch(`${router.url}/worlds/worker-${index}/api/transactions`)).text()),
      ),
    );
  };
  const [three, four] = [await meets(3), await meets(4)];
  expect(four.filter((server, index) => server !== three[index]).every((server) => server === 3)).toBe(true);
  for (const [met, count] of [
    [three, 3],
    [four, 4],
  ] as const)
    for (let server = 0; server < count; server += 1) {
      const share = met.filter((each) => each === server).length / met.length;
      expect(share).toBeGreaterThan(0.5 / count);
      expect(share).toBeLessThan(1.6 / count);
    }
});

test("the name decides alone, wherever it stands and however it is written", async () => {
  const ports = [await answering(0), await answering(1), await answering(2)];
  using router = startRouter(await freePort(), ports);
  const met = async (path: string): Promise<string> => (await fetch(router.url + path)).text();
  const firsts = new Set<string>();
  for (const name of names) {
    const first = await met(`/worlds/${name}`);
    firsts.add(first);
    for (const path of [
      `/worlds/${name}/api/payment-intent?a=/worlds/b`,
      `/worlds/%63${name.slice(1)}/oauth`,
      `/worlds/${name}.fork-7/worlds/c`,
      `/_centavo/worlds/${name}`,
      `/.well-known/openid-configuration/worlds/${name}`,
    ])
      expect(await met(path), path).toBe(first);
  }
  expect(firsts.size).toBe(3);
  const fallback = await met("/oauth");
  for (const path of ["/", "/api/transactions", "/_centavo/worlds", "/_centavo/api/v1/clock", "/worlds/default.fork-1"])
    expect(await met(path), path).toBe(fallback);
});

test("a world that nobody opened is refused by a server, not by the router", async () => {
  await using routed = await startServers(2, program);
  const refused = await worlds({ url: routed.router.url, token: routed.token }, "/nobody", "GET");
  expect(await errorOf(refused)).toMatchObject({ status: 404, code: "NOT_FOUND" });
});

/** Starts a server that answers with its number, until the end of the test, and returns its port. */
async function answering(number: number): Promise<number> {
  const server = createServer((_, response) => response.end(String(number)));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
