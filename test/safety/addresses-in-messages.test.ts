import { createSimulator, replay } from "centavo";
import type { Recording } from "centavo";
import { intercept } from "centavo/node";
import axios from "axios";
import { expect, test } from "vitest";
import { shownAddress } from "../../src/kit/base/redaction/address.ts";

const KEY = "REAL-KEY-FROM-ENV";
const SECRET_QUERY = `key=${KEY}&card=4343434343434345`;

test.for([
  ["https://maps.example/v1", "https://maps.example/v1"],
  ["https://maps.example", "https://maps.example"],
  [`https://maps.example/v1?${SECRET_QUERY}#${KEY}`, "https://maps.example/v1?…"],
  [`https://maps.example/v1#${KEY}`, "https://maps.example/v1#…"],
  [`https://user:${KEY}@maps.example/v1`, "https://…@maps.example/v1"],
  [`https://user:${KEY}@x@maps.example/v1`, "https://…@maps.example/v1"],
  [`//user:${KEY}@maps.example/v1?a`, "//…@maps.example/v1?…"],
  [`/orders/1?token=${KEY}`, "/orders/1?…"],
  [`data:text/plain,${KEY}`, "data:…"],
  ["https://maps.example/cards/4343434343434345", "https://maps.example/cards/•••• 4345"],
  ["not an address", "not an address"],
  ["", ""],
] as const)("%s is shown as %s", ([address, shown]) => {
  expect(shownAddress(address)).toBe(shown);
});

/** What a simulator prints, and what reports of it hold. */
async function printedBy(sim: ReturnType<typeof createSimulator>): Promise<string> {
  return [String(sim.journal), await sim.report(), ...sim.webhooks.failures().map(({ message }) => message)].join("\n");
}

test("a refused call keeps its query out of errors, timelines and reports", async () => {
  const sim = createSimulator();
  using _network = intercept(sim);
  const url = `https://maps.example/v1?${SECRET_QUERY}`;
  const byFetch = (await fetch(url).catch((error: unknown) => error)) as Error;
  const byAxios = (await axios.get(url, { proxy: false }).catch((error: unknown) => error)) as Error;
  for (const said of [String(byFetch.cause), byAxios.message, await printedBy(sim)]) {
    expect(said).toContain("GET https://maps.example/v1?…");
    expect(said).not.toContain(KEY);
    expect(said).not.toContain("4343434343434345");
  }
});

test.for([
  ["an app is missing", "https://shop.example"],
  ["nothing listens", "http://127.0.0.1:9"],
])("a webhook's query stays out of what is printed when %s", async ([, origin]) => {
  const sim = createSimulator({ webhookUrl: `${origin}/hooks?${SECRET_QUERY}` });
  const token = await sim.fetch(`${sim.authUrl}/oauth`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: sim.credentials.clientId,
      client_secret: sim.credentials.clientSecret,
    }),
  });
  const { access_token: bearer } = (await token.json()) as { readonly access_token: string };
  const send = async (path: string, body: object): Promise<{ data: { id: string } }> => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const answer = await sim.fetch(sim.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    return (await answer.json()) as { data: { id: string } };
  };
  const { data } = await send("/api/payment-intent", { amount: 10_000 });
  await send(`/api/payment-intent/${data.id}/confirm`, { paymentMethodId: "pm_card_approved" });
  const error = await sim.clock.settle({ strict: true }).catch((thrown: unknown) => thrown);
  for (const said of [String(error), await printedBy(sim)]) {
    expect(said).toContain("/hooks?…");
    expect(said).not.toContain(KEY);
  }
});

test("a visit keeps the query of its address out of timelines and reports", async () => {
  const sim = createSimulator();
  sim.connect("https://shop.example", () => new Response());
  await sim.visit(`/orders?${SECRET_QUERY}`);
  const said = await printedBy(sim);
  expect(said).toContain("GET https://shop.example/orders?…");
  expect(said).not.toContain(KEY);
});

test("the options of a simulator keep the query and the password of an address out of the message", () => {
  for (const baseUrl of [`https://api.pay.example?${SECRET_QUERY}`, `https://user:${KEY}@api.pay.example`])
    expect(() => createSimulator({ baseUrl })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.not.stringContaining(KEY) as string }),
    );
});

/** Every path of a value that holds no other value. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]));
}

test("a recording that was edited keeps secrets out of what replay says of it", async () => {
  const sim = createSimulator();
  const { clientSecret, adminKey, webhookSecret } = sim.credentials;
  await sim.fetch(`${sim.baseUrl}/api/transactions`);
  sim.clock.now();
  const recording = JSON.stringify(sim.recording());
  let refused = 0;
  for (const path of pathsOf(JSON.parse(recording))) {
    const edited = JSON.parse(recording) as Record<string, unknown>;
    const holder = path.slice(0, -1).reduce((inner, name) => inner[name] as Record<string, unknown>, edited);
    holder[path.at(-1) ?? ""] = `${clientSecret} ${adminKey} ${webhookSecret}`;
    const error = await replay(edited as unknown as Recording).catch((thrown: unknown) => thrown as Error);
    if (!(error instanceof Error)) continue;
    refused += 1;
    for (const secret of [clientSecret, adminKey, webhookSecret])
      expect(`${error.message} ${error.stack}`, path.join(".")).not.toContain(secret);
  }
  expect(refused).toBeGreaterThan(5);
});

test("a wrong call of the test keeps the query of its address out of the message", async () => {
  const sim = createSimulator();
  const address = `https://elsewhere.example/pay?${SECRET_QUERY}`;
  for (const call of [() => sim.customer.pay(address, "pm_card_approved"), () => sim.visit(address)]) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain("https://elsewhere.example/pay?…");
    expect(String(error)).not.toContain(KEY);
  }
});
