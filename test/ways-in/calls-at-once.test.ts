import { createSimulator, type Simulator } from "centavo";
import { intercept } from "centavo/node";
import { describe, expect, test } from "vitest";
import { answerOf } from "../merchant/answers.ts";
import { loginForm } from "../merchant/requests.ts";
import { clients } from "./clients.ts";
import { wayNamed } from "./ways.ts";

const RUNS = 25;
const RUNS_OF_A_CLIENT = 5;

/** Makes one call, and returns its parsed answer. */
type Send = (path: string, call: { readonly method: string; readonly body?: string }) => Promise<unknown>;

/** The kinds of body that `fetch` takes. */
const kinds: readonly ((text: string) => BodyInit)[] = [
  (text) => text,
  (text) => new TextEncoder().encode(text),
  (text) => new Blob([text]),
  (text) => new Blob([text, " "]).stream(),
  (text) => new Response(text).body as BodyInit,
];

/** Creates and confirms payments with as many calls at once, among calls without a body, and returns the digest. */
async function digestOf(sim: Simulator, send: Send): Promise<string> {
  const reading = { method: "GET" } as const;
  const created = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const body = JSON.stringify({ amount: 10_000 + index });
      const creating = send("/api/payment-intent", { method: "POST", body });
      await send(`/api/transactions?limit=${index + 1}`, reading);
      return (await creating) as { readonly data: { readonly id: string } };
    }),
  );
  const confirmation = { method: "POST", body: JSON.stringify({ paymentMethodId: "pm_card_approved" }) };
  await Promise.all(
    created.flatMap(({ data: { id } }) => [
      send(`/api/payment-intent/${id}/status`, reading),
      send(`/api/payment-intent/${id}/confirm`, confirmation),
      send(`/api/payment-intent/${id}/status`, reading),
    ]),
  );
  await sim.clock.settle();
  return sim.journal.digest();
}

/** Over plain HTTP, because no way in differs by it, and a socket has no other. */
function simulate(): Simulator {
  return createSimulator({ baseUrl: "http://api.pay.example" });
}

async function headersFor(sim: Simulator): Promise<Record<string, string>> {
  const { body } = await answerOf(await sim.fetch("/oauth", loginForm(sim.credentials)));
  return { authorization: `Bearer ${String(body["access_token"])}`, "content-type": "application/json" };
}

/** The digest of calls with texts, in memory: what every way in has to come to. */
async function digestInMemory(): Promise<string> {
  const sim = simulate();
  const headers = await headersFor(sim);
  return digestOf(sim, async (path, call) => (await sim.fetch(path, { headers, ...call })).json());
}

describe("calls that are made at once are answered in the order in which they were made", () => {
  test.for(["memory", "interception"])("through %s, with every kind of body, in 25 runs", async (name) => {
    const way = wayNamed(name);
    const digests = new Set<string>();
    for (let run = 0; run < RUNS; run += 1) {
      const sim = simulate();
      const headers = await headersFor(sim);
      await using open = await way.open(sim);
      let posts = 0;
      const send: Send = async (path, { method, body }) => {
        const kind = kinds[posts % kinds.length];
        if (body !== undefined) posts += 1;
        const init = { method, headers, duplex: "half", ...(body === undefined ? {} : { body: kind?.(body) }) };
        return (await open.fetch(open.url + path, init as RequestInit)).json();
      };
      digests.add(await digestOf(sim, send));
    }
    expect([...digests]).toEqual([await digestInMemory()]);
  });

  const inOrder = new Set(["global fetch", "global fetch with a Request", "undici.request"]);

  test.for(clients.filter(({ name }) => inOrder.has(name)))("by $name", async (client) => {
    const digests = new Set<string>();
    for (let run = 0; run < RUNS_OF_A_CLIENT; run += 1) {
      const sim = simulate();
      const headers = await headersFor(sim);
      using _ = intercept(sim);
      const send: Send = async (path, call) =>
        JSON.parse((await client.call(sim.baseUrl + path, { headers, ...call })).body) as unknown;
      digests.add(await digestOf(sim, send));
    }
    expect([...digests]).toEqual([await digestInMemory()]);
  });
});

describe("a call whose body does not come", () => {
  test("holds up no other call, and is answered once its body is there", async () => {
    const sim = simulate();
    const headers = await headersFor(sim);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const init = { method: "POST", headers, body: readable, duplex: "half" };
    const late = sim.fetch("/api/payment-intent", init);
    const early = await sim.fetch("/api/payment-intent", { method: "POST", headers, body: '{"amount":20000}' });
    expect(early.status).toBe(200);
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode('{"amount":10000}'));
    await writer.close();
    expect((await late).status).toBe(200);
    expect(sim.intents.list().map(({ amount }) => amount)).toEqual([20_000, 10_000]);
  });

  test("holds up no other call when its client gives up", async () => {
    const sim = simulate();
    const headers = await headersFor(sim);
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("no signal")) });
    const init = { method: "POST", headers, body: broken, duplex: "half" };
    const call = sim.fetch("/api/payment-intent", init);
    const next = sim.fetch("/api/payment-intent", { method: "POST", headers, body: '{"amount":20000}' });
    await expect(call).rejects.toThrow("no signal");
    expect((await next).status).toBe(200);
  });
});
