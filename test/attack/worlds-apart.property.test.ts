import { createSimulator } from "centavo";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openFront } from "../../src/server/open-front.ts";
import { halfOf } from "../half-of.ts";
import type { Opened } from "../server/served.ts";

const URL_OF_SERVER = "http://127.0.0.1:4010";
/** The last two have one seed, and with it the same ids, pages and refresh tokens. */
const OPTIONS = [{}, {}, { seed: 42 }, { seed: 42 }];
/** The amounts of a world have its number in front. */
const STEP = 1_000_000;

/** What a world has been asked for, and has answered. */
interface Model extends Omit<Opened, "now"> {
  readonly number: number;
  now: number;
  paid: number;
  token?: string;
  refreshToken?: string;
  readonly intents: { readonly id: string; readonly clientKey: string }[];
  readonly pages: string[];
}

const { front, token } = openFront(createSimulator(), URL_OF_SERVER, {});
const models: Model[] = [];

async function send(url: string, method = "GET", headers: Record<string, string> = {}, body?: string) {
  const request = new Request(url, {
    method,
    headers: { host: "127.0.0.1:4010", ...headers },
    ...(body !== undefined && { body }),
  });
  const answer = await front.answer(request);
  const text = answer instanceof Response ? await answer.text() : answer.body;
  return { status: answer.status, text };
}

/** Calls a world, which names no amount of another. */
async function call(model: Model, path: string, method?: string, headers?: Record<string, string>, body?: string) {
  const { status, text } = await send(model.baseUrl + path, method, headers, body);
  for (const [, amount] of text.matchAll(/"(?:amount|total)":(\d+)/g))
    expect(Math.floor(Number(amount) / STEP), text).toBe(model.number);
  return {
    status,
    text,
    data: (): Record<string, string> => (JSON.parse(text) as { data: Record<string, string> }).data,
  };
}

const json = (credential: string | undefined) => ({
  authorization: `Bearer ${credential}`,
  "content-type": "application/json",
});
const form = { "content-type": "application/x-www-form-urlencoded" };
const control = { authorization: `Bearer ${token}` };

async function reopen(number: number): Promise<Model> {
  const address = `${URL_OF_SERVER}/_centavo/worlds/w${number}`;
  await send(address, "DELETE", control);
  const { status, text } = await send(address, "PUT", control, JSON.stringify(OPTIONS[number - 1]));
  expect(status).toBe(201);
  const opened = JSON.parse(text) as Opened;
  return (models[number] = { ...opened, number, now: Date.parse(opened.now), paid: 0, intents: [], pages: [] });
}

async function modelOf(number: number): Promise<Model> {
  return models[number] ?? reopen(number);
}

async function logIn(model: Model): Promise<void> {
  const { clientId, clientSecret } = model.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString();
  const { status, text } = await call(model, "/oauth", "POST", form, body);
  expect(status).toBe(200);
  const tokens = JSON.parse(text) as { access_token: string; refresh_token: string };
  model.token = tokens.access_token;
  model.refreshToken = tokens.refresh_token;
}

/** What a client does in its own world. */
const own = {
  logIn,
  async pay(model: Model): Promise<void> {
    if (model.token === undefined) await logIn(model);
    const amount = model.number * STEP + (model.paid += 1);
    const made = await call(model, "/api/payment-intent", "POST", json(model.token), JSON.stringify({ amount }));
    const { id = "", clientKey = "" } = made.data();
    model.intents.push({ id, clientKey });
  },
  async checkOut(model: Model): Promise<void> {
    if (model.token === undefined) await logIn(model);
    const order = {
      externalId: "order-1",
      amount: model.number * STEP,
      description: "Shoes",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
    };
    const made = await call(model, "/api/checkout", "POST", json(model.token), JSON.stringify(order));
    const { checkoutUrl = "" } = made.data();
    expect(checkoutUrl.startsWith(`${model.baseUrl}/`)).toBe(true);
    model.pages.push(checkoutUrl.slice(model.baseUrl.length));
  },
  async look(model: Model): Promise<void> {
    for (const { id } of model.intents.slice(-1)) {
      const { status } = await call(model, `/api/payment-intent/${id}/status`, "GET", json(model.token));
      expect(status).toBe(200);
    }
    for (const page of model.pages.slice(-1)) expect((await call(model, page)).status).toBe(200);
  },
  async passTime(model: Model): Promise<void> {
    const path = "/_centavo/api/v1/clock/advance";
    const { status } = await call(model, path, "POST", control, '{"duration":"1 second"}');
    expect(status).toBe(200);
    model.now += 1000;
  },
  async end({ number }: Model): Promise<void> {
    await reopen(number);
  },
};

/** How often something that another world really has was tried. */
const tried = { tokens: 0, refreshTokens: 0, ids: 0, pages: 0 };

/** What a client of one world tries at another. Nothing of it succeeds. */
const foreign = {
  async credentials(mine: Model, other: Model): Promise<void> {
    const { clientId, clientSecret, adminKey } = mine.credentials;
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret }).toString();
    expect((await call(other, "/oauth", "POST", form, body)).status).toBe(401);
    expect(
      (await call(other, "/merchants", "POST", { ...json(undefined), "x-admin-key": adminKey }, "{}")).status,
    ).toBe(401);
  },
  async token({ token: stolen = "none" }: Model, other: Model): Promise<void> {
    const id = other.intents.at(-1)?.id ?? "pi_none";
    expect((await call(other, "/api/transactions", "GET", json(stolen))).status).toBe(401);
    expect((await call(other, `/api/payment-intent/${id}/status`, "GET", json(stolen))).status).toBe(401);
    tried.tokens += stolen === "none" ? 0 : 1;
  },
  async refreshToken({ seed, refreshToken: stolen = "none" }: Model, other: Model): Promise<void> {
    if (seed === other.seed) return;
    const { clientId, clientSecret } = other.credentials;
    const grant = { grant_type: "refresh_token", refresh_token: stolen };
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...grant }).toString();
    expect((await call(other, "/oauth", "POST", form, body)).status).toBe(400);
    tried.refreshTokens += stolen === "none" ? 0 : 1;
  },
  async ids(mine: Model, other: Model): Promise<void> {
    if (mine.seed === other.seed || other.token === undefined) return;
    const { id, clientKey } = mine.intents.at(-1) ?? { id: "pi_none", clientKey: "ck_none" };
    tried.ids += mine.intents.length > 0 ? 1 : 0;
    expect((await call(other, `/api/payment-intent/${id}/status`, "GET", json(other.token))).status).toBe(404);
    expect((await call(other, `/api/payment-intent/${id}/status`, "GET", json(clientKey))).status).toBe(401);
  },
  async pages(mine: Model, other: Model): Promise<void> {
    if (mine.seed === other.seed) return;
    for (const page of mine.pages.slice(-1)) {
      expect((await call(other, page)).status).toBe(404);
      tried.pages += 1;
    }
  },
  async controlAddress(mine: Model, other: Model): Promise<void> {
    const nowOf = async ({ controlUrl }: Model) =>
      Date.parse((JSON.parse((await send(`${controlUrl}/clock`, "GET", control)).text) as { now: string }).now);
    expect([await nowOf(mine), await nowOf(other)]).toEqual([mine.now, other.now]);
    expect((await send(`${other.controlUrl}/clock`, "GET", json(mine.token))).status).toBe(401);
  },
};

const number = fc.integer({ min: 1, max: OPTIONS.length });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom(...(["logIn", "pay", "checkOut", "look", "passTime"] as const)),
      of: number,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant("end" as const), of: number }) },
  {
    weight: 4,
    arbitrary: fc.record({
      attempt: fc.constantFrom(...(Object.keys(foreign) as (keyof typeof foreign)[])),
      of: number,
      at: number,
    }),
  },
);

test("no world is seen through the credentials, tokens, pages or control address of another", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
      for (const each of steps) {
        const model = await modelOf(each.of);
        if ("act" in each) await own[each.act](model);
        else if (each.at !== each.of) await foreign[each.attempt](model, await modelOf(each.at));
      }
    }),
    // The worlds live on from run to run.
    { ...halfOf({ numRuns: 10_000, seed: 20_261_126 }), endOnFailure: true },
  );
  const acted = models.filter((model) => model.paid > 0 || model.pages.length > 0);
  expect(acted.length).toBeGreaterThan(1);
  for (const times of Object.values(tried)) expect(times).toBeGreaterThan(100);
});
