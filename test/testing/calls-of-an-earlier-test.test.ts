import { createSimulator, type Simulator } from "centavo";
import { createClient } from "centavo/client";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { simulated } from "centavo/testing";
import type { NetworkKind, TestNetwork } from "centavo/testing";
import { describe, expect, test } from "vitest";
import type { Service } from "../../src/kit/http/callable-service.ts";
import { Merchant } from "../merchant.ts";

/** What a shop kept of an earlier test. */
interface Kept {
  readonly token: string;
  readonly intent: string;
  readonly session: string;
}

async function logIn({ authUrl, fetch: send }: TestNetwork, { credentials }: Simulator): Promise<string> {
  const { clientId, clientSecret } = credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const answer = await send(`${authUrl}/oauth`, { method: "POST", body });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
}

function keepsFrom(name: string, kind: NetworkKind, keep: (kept: Kept) => void): () => Promise<void> {
  return simulated({ name, network: kind }, async ({ sim, network, client }) => {
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    const { sessionToken } = await (await Merchant.of(sim)).createCheckout();
    keep({ token: await logIn(network, sim), intent: id, session: sessionToken });
  });
}

function warningsOf({ journal }: Simulator): string[] {
  return journal.entries.filter(({ kind }) => kind === "warning").map(({ volatile }) => String(volatile?.["message"]));
}

describe.each(["intercept", "fetch", "server"] as const)('with network: "%s"', (kind) => {
  test("a call with an earlier test's token is refused by the next test, which names the earlier one", async () => {
    let kept: Kept | undefined;
    await keepsFrom(`keeps a token, ${kind}`, kind, (value) => (kept = value))();
    await simulated({ name: "next", network: kind }, async ({ sim, network }) => {
      const digest = sim.journal.digest();
      const answer = await network.fetch(`${network.baseUrl}/api/transactions`, {
        headers: { authorization: `Bearer ${kept?.token}` },
      });
      const named = `Its credential belongs to the world of the test "keeps a token, ${kind}", which has ended`;
      expect([answer.status, await answer.json()]).toEqual([
        401,
        expect.objectContaining({ code: "UNAUTHORIZED", message: expect.stringContaining(named) as string }),
      ]);
      expect(warningsOf(sim)).toEqual([expect.stringContaining(named)]);
      expect(sim.journal.digest()).toBe(digest);
    })();
  });

  test.each(["intent", "session"] as const)("a call with an earlier test's %s is refused and named", async (what) => {
    let kept: Kept | undefined;
    await keepsFrom(`keeps its ${what}, ${kind}`, kind, (value) => (kept = value))();
    await simulated({ name: "next", network: kind }, async ({ sim, network }) => {
      const authorization = `Bearer ${await logIn(network, sim)}`;
      const path =
        what === "intent" ? `/api/payment-intent/${kept?.intent}/status` : `/api/checkout/polling/${kept?.session}`;
      const answer = await network.fetch(network.baseUrl + path, { headers: { authorization } });
      const named = `An id in its address belongs to the world of the test "keeps its ${what}, ${kind}", which has ended`;
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ message: expect.stringContaining(named) as string }),
      ]);
      expect(warningsOf(sim)).toEqual([expect.stringContaining(named)]);
      expect(warningsOf(sim)[0]).not.toContain(kept?.session);
    })();
  });

  test("keepTokens lets a shop go on with its token", async () => {
    let kept: Kept | undefined;
    const keepTokens = true;
    await simulated({ name: "first", network: kind, keepTokens }, async ({ sim, network }) => {
      kept = { token: await logIn(network, sim), intent: "", session: "" };
    })();
    await simulated({ name: "second", network: kind, keepTokens }, async ({ network }) => {
      const headers = { authorization: `Bearer ${kept?.token}` };
      expect((await network.fetch(`${network.baseUrl}/api/transactions`, { headers })).status).toBe(200);
    })();
  });
});

test("a call that a test did not await meets the next test, and changes nothing there", async () => {
  let late: (() => Promise<Response>) | undefined;
  await simulated({ name: "does not await" }, async ({ sim, network, client }) => {
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    const authorization = `Bearer ${await logIn(network, sim)}`;
    late = () =>
      fetch(`${sim.baseUrl}/api/payment-intent/${id}/confirm`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ paymentMethodId: "pm_card_approved" }),
      });
  })();
  await simulated({ name: "next" }, async ({ sim, network, client }) => {
    expect(network.kind).toBe("intercept");
    await client.paymentIntents.create({ amount: 10000 });
    const digest = sim.journal.digest();
    expect(await (await late?.())?.text()).toContain('the world of the test \\"does not await\\", which has ended');
    expect(sim.journal.digest()).toBe(digest);
  })();
});

test("a fetch of an ended test gets no answer, and its error names the test", async () => {
  let earlier: TestNetwork | undefined;
  await simulated({ name: "hands out its fetch", network: "fetch" }, ({ network }) => void (earlier = network))();
  await expect(earlier?.fetch(`${earlier.baseUrl}/api/transactions`)).rejects.toMatchObject({
    message: "fetch failed",
    cause: {
      code: "WORLD_ENDED",
      message: expect.stringContaining('the world of the test "hands out its fetch"') as string,
    },
  });
});

test("a simulator that was closed is named by its seed, and one that is open keeps its own ids", async () => {
  const first = createSimulator({ seed: "the first" });
  const { clientId, clientSecret } = first.credentials;
  const client = createClient({ baseUrl: first.baseUrl, fetch: first.fetch, clientId, clientSecret });
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  await using open = await serve(first);
  const path = `/api/payment-intent/${id}/status`;
  expect((await fetch(open.url + path)).status).toBe(401);
  await first.close();

  await using second = createSimulator({ seed: "the second" });
  intercept(second);
  const answer = await fetch(second.baseUrl + path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('the simulator with the seed \\"the first\\", which has ended');
});

/** A service whose world has these ids, with the function that closes it. */
function serviceWith(name: string, ids: readonly string[]): { readonly service: Service; readonly close: () => void } {
  const callbacks: (() => unknown)[] = [];
  const identity = { name, headers: [], knows: () => false, issued: () => [...ids], warn: () => undefined };
  const service: Service = {
    baseUrl: "https://api.pay.example",
    authUrl: "https://api.pay.example",
    fetch: async () => new Response("answered"),
    refuse: ({ message }) => ({ status: 404, headers: {}, body: message }),
    identity,
    onClose: (callback) => {
      callbacks.push(callback);
      return () => callbacks.splice(callbacks.indexOf(callback), 1);
    },
  };
  return { service, close: () => callbacks.splice(0).forEach((callback) => void callback()) };
}

test("a bounded number of ids is remembered, and the oldest are forgotten first", async () => {
  const ids = Array.from({ length: 30_000 }, (_, index) => `id_${String(index).padStart(20, "0")}`);
  for (const [name, given] of [["many", ids] as const, ["last", ["id_of_the_last_world"]] as const]) {
    const { service, close } = serviceWith(name, given);
    intercept(service);
    close();
  }
  const { service, close } = serviceWith("open", []);
  intercept(service);
  const answerTo = async (id = ""): Promise<string> => (await fetch(`https://api.pay.example/${id}`)).text();
  expect(await answerTo("id_of_the_last_world")).toContain("belongs to last");
  expect(await answerTo(ids.at(-1))).toContain("belongs to many");
  expect(await answerTo(ids[0])).toBe("answered");
  close();
});
