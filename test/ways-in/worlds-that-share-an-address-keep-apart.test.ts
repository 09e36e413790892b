import { createSimulator, type Simulator } from "centavo";
import { intercept } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

let merchants: [Merchant, Merchant, Merchant];
let sims: [Simulator, Simulator, Simulator];
let before: readonly string[];

beforeEach(async () => {
  sims = [createSimulator({ seed: "a" }), createSimulator({ seed: "b" }), createSimulator({ seed: "c" })];
  merchants = (await Promise.all(sims.map((sim) => Merchant.of(sim)))) as typeof merchants;
  intercept(sims);
  before = digests();
});

afterEach(async () => {
  for (const sim of sims) await sim.close();
});

function digests(): string[] {
  return sims.map((sim) => sim.journal.digest());
}

/** Which worlds something has happened in. */
function touched(): number[] {
  return digests().flatMap((digest, index) => (digest === before[index] ? [] : [index]));
}

function confirm(id: string, headers: Record<string, string>, body: object = {}): Promise<Response> {
  return fetch(`${sims[0].baseUrl}/api/payment-intent/${id}/confirm`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ paymentMethodId: "pm_card_approved", ...body }),
  });
}

function base64Url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** A token of another client, signed by nobody. */
function forgedFor(clientId: string): string {
  const claims = { iss: sims[0].authUrl, aud: sims[0].baseUrl, sub: clientId, exp: 9_999_999_999 };
  return `${base64Url({ alg: "none", typ: "JWT" })}.${base64Url(claims)}.`;
}

test("a token decides, whatever ids of other worlds a call carries in its path, query and body", async () => {
  const [, second, third] = merchants;
  const { id } = await third.createIntent();
  before = digests();
  const answer = await confirm(`${id}?payment=${id}`, { authorization: second.authorization }, { metadata: { id } });
  expect(answer.status).toBe(404);
  expect(touched()).toEqual([1]);
  expect(sims[2].intents.get(id)?.status).toBe("requires_payment_method");
});

test("a token of an ended world reaches no open one, not even with the id of an open one", async () => {
  const ended = createSimulator({ seed: "ended" });
  const { authorization } = await Merchant.of(ended);
  await using network = intercept(ended);
  await ended.close();
  const { id } = await merchants[1].createIntent();
  before = digests();
  expect((await confirm(id, { authorization })).status).toBe(401);
  expect(touched()).toEqual([]);
  network.close();
});

test("a forged token does not lead to the world of the client that it names", async () => {
  const answer = await confirm("pi_of_nobody_at_all", {
    authorization: `Bearer ${forgedFor(sims[2].credentials.clientId)}`,
  });
  expect(answer.status).toBe(401);
  expect(touched()).not.toContain(2);
});

test("a forged token beside an id is refused by the world of the id", async () => {
  const { id } = await merchants[1].createIntent();
  before = digests();
  const answer = await confirm(id, { authorization: `Bearer ${forgedFor(sims[2].credentials.clientId)}` });
  expect(answer.status).toBe(401);
  expect(touched()).toEqual([1]);
  expect(sims[1].intents.get(id)?.status).toBe("requires_payment_method");
});

test("a session token in a query leads to its world, and to no other", async () => {
  const { sessionToken } = await merchants[2].createCheckout();
  before = digests();
  await fetch(`${sims[0].baseUrl}/no/such/page?session=${encodeURIComponent(sessionToken)}`);
  expect(touched()).toEqual([2]);
});

test.each(["Authorization", "AUTHORIZATION", "aUtHoRiZaTiOn"])("the header %s names a world", async (name) => {
  const { id } = await merchants[1].createIntent();
  before = digests();
  const answer = await confirm(id, { [name]: merchants[1].authorization.replace("Bearer", "bEARER") });
  expect(answer.status).toBe(200);
  expect(touched()).toEqual([1]);
});

test("two credentials of two worlds in one call reach one of them at most", async () => {
  const answer = fetch(`${sims[0].authUrl}/merchants`, {
    method: "POST",
    headers: {
      authorization: merchants[1].authorization,
      "x-admin-key": sims[2].credentials.adminKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ name: "Another", email: "another@shop.example" }),
  });
  await expect(answer).rejects.toMatchObject({ cause: { code: "UNEXPECTED_REQUEST" } });
  expect(touched()).toEqual([]);
});

test("client ids of two worlds in one body are refused, and reach neither", async () => {
  const body = new URLSearchParams({
    client_id: sims[1].credentials.clientId,
    client_secret: sims[1].credentials.clientSecret,
    scope: sims[2].credentials.clientId,
  });
  await expect(fetch(`${sims[0].authUrl}/oauth`, { method: "POST", body })).rejects.toMatchObject({
    cause: { code: "UNEXPECTED_REQUEST" },
  });
  expect(touched()).toEqual([]);
});

describe("a body that is hard to read", () => {
  const deep = (inner: string): string => `${"[".repeat(20_000)}${inner}${"]".repeat(20_000)}`;
  const cases: readonly (readonly [string, (id: string) => string, number[]])[] = [
    ["nested 20 000 deep", (id) => deep(JSON.stringify(id)), [1]],
    ["of 60 000 quotes", (id) => `${'""'.repeat(30_000 - 100)}${JSON.stringify(id)}`, [1]],
    [
      "of escapes",
      (id) => `{"client_id":"${id.replaceAll(/./g, (each) => `\\u00${each.codePointAt(0)?.toString(16)}`)}"}`,
      [1],
    ],
    ["cut in a text", (id) => `{"client_id":${JSON.stringify(id)},"rest":"${"\\".repeat(3)}`, [1]],
    ["whose id comes after its first 64 KiB", (id) => `{"padding":"${"x".repeat(70_000)}","client_id":"${id}"}`, []],
  ];
  test.each(cases)("names its world or is refused: %s", async (_title, bodyFor, expected) => {
    const answer = await fetch(`${sims[0].authUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: bodyFor(sims[1].credentials.clientId),
    }).catch((error: Error) => error);
    expect(touched()).toEqual(expected);
    expect(answer instanceof Error).toBe(expected.length === 0);
  });
});

test("the texts of a body are asked for in proportion to their number, and none past its head", async () => {
  const asked = sims.map((sim) => {
    const { identity } = sim;
    const knows = identity.knows.bind(identity);
    let times = 0;
    identity.knows = (text) => {
      times += 1;
      return knows(text);
    };
    return () => times;
  });
  const send = async (texts: number): Promise<number> => {
    const earlier = asked[0]?.() ?? 0;
    const body = JSON.stringify(Array.from({ length: texts }, () => "x"));
    await fetch(`${sims[0].authUrl}/oauth`, { method: "POST", body }).catch(() => undefined);
    return (asked[0]?.() ?? 0) - earlier;
  };
  const few = await send(1000);
  const many = await send(10_000);
  expect(many / few).toBeLessThan(11);
  // Past the head, nothing is read.
  expect(await send(1_000_000)).toBeLessThan(64 * 1024);
});
