import assert from "node:assert/strict";
import { createSimulator } from "../../../src/index.ts";
import type { Simulator } from "../../../src/index.ts";

const SHOP = "https://shop.example";
const CONTACT = { name: "Ana Reyes", email: "ana@example.com" };

/** A world with every resource in every status, and what a caller can know of it. */
export interface Populated {
  readonly sim: Simulator;
  /** The headers of each kind of caller: valid, expired, foreign, wrong. */
  readonly callers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What names something, by the parameter or the field that takes it. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** A refresh token that was used: to use it again ends its family (`auth.refresh`). */
  readonly usedRefreshToken: string;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

type Data = Readonly<Record<string, string>>;

export async function everyStatus(): Promise<Populated> {
  const sim = createSimulator({ now: "2026-01-01T00:00:00Z", webhookUrl: `${SHOP}/hooks`, receiverTimeout: 60_000 });
  sim.connect(SHOP, () => new Response());
  const send = async (path: string, body: object, headers: Record<string, string>): Promise<unknown> => {
    const json = { "content-type": "application/json", ...headers };
    const response = await sim.fetch(path, { method: "POST", headers: json, body: JSON.stringify(body) });
    return response.json();
  };
  const logIn = async (client: { clientId: string; clientSecret: string }): Promise<Tokens> =>
    (await send(`${sim.authUrl}/oauth`, client, {})) as Tokens;
  let own = await logIn(sim.credentials);
  const expired = own.access_token;
  const call = async (path: string, body: object, bearer = own.access_token): Promise<Data> => {
    const answer = (await send(path, body, { authorization: `Bearer ${bearer}` })) as { data?: Data };
    return answer.data ?? {};
  };
  const advance = async (duration: string): Promise<void> => {
    await sim.clock.advance(duration);
    own = await logIn(sim.credentials);
  };
  const intent = async (method?: string): Promise<Data> => {
    const data = await call("/api/payment-intent", { amount: 10_000, returnUrl: `${SHOP}/back` });
    const confirmed =
      method === undefined ? {} : await call(`/api/payment-intent/${data["id"]}/confirm`, { paymentMethodId: method });
    return { ...data, ...confirmed };
  };
  const addresses = { webhookUrl: `${SHOP}/hooks`, returnUrl: `${SHOP}/back` };
  const session = async (method?: string): Promise<Data> => {
    const order = { externalId: "order-1", amount: 10_000, description: "Two mangoes", contact: CONTACT, ...addresses };
    const data = await call("/api/checkout", order);
    if (method !== undefined) await call(`/api/checkout/process/${data["sessionToken"]}`, { paymentMethodId: method });
    return data;
  };
  const plans: Data[] = [];
  for (const interval of ["week", "month", "year"])
    plans.push(await call("/api/subscription/plans", { name: "Club", amount: 49_900, interval }));
  const subscription = async (method?: string): Promise<Data> => {
    const data = await call("/api/subscription/initiate", { planId: plans[0]?.["id"], contact: CONTACT });
    if (method === undefined) return data;
    await call("/api/subscription/process-payment", { subscriptionId: data["id"], paymentMethodId: method });
    await sim.clock.settle();
    return data;
  };

  await subscription("pm_card_declines_renewals"); // becomes unpaid
  await subscription(); // becomes incomplete_cancelled
  await session(); // expires
  await advance("3 days");
  await subscription("pm_card_declines_renewals"); // becomes past_due
  const ended = await subscription("pm_card_approved");
  await sim.fetch(`/api/subscription/${ended["id"]}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${own.access_token}` },
  });
  await advance("7 days 1 hour");
  await subscription("pm_card_approved");
  await subscription();
  await subscription("pm_card_challenge");
  const left = await session();
  await sim.customer.cancel(left["checkoutUrl"]);
  await session("pm_card_insufficient_funds");
  await session("pm_card_approved");
  await intent("pm_card_approved");
  await intent("pm_card_generic_decline");
  sim.intents.cancel((await intent())["id"] ?? "");
  await sim.clock.settle();
  sim.faults.add({ kind: "processor.stuck" });
  await intent("pm_card_approved");
  await session("pm_card_approved");
  await subscription("pm_card_approved");
  sim.faults.clear();
  await intent("pm_card_processor_unavailable");
  const unpaid = await intent();
  const challenged = await intent("pm_card_challenge");
  const wallet = await intent("pm_gcash");
  await session();
  await session("pm_card_challenge");

  const registration = { name: "Other", email: "other@shop.example", webhookUrl: `${SHOP}/other` };
  const { data: neighbour } = (await send(`${sim.authUrl}/merchants`, registration, {
    "x-admin-key": sim.credentials.adminKey,
  })) as {
    data: { clientId: string; clientSecret: string };
  };
  const foreign = await logIn(neighbour);
  const theirs = await call("/api/payment-intent", { amount: 700 }, foreign.access_token);
  const used = await logIn(sim.credentials);
  const { clientId, clientSecret, adminKey } = sim.credentials;
  const refresh = {
    grant_type: "refresh_token",
    refresh_token: used.refresh_token,
    client_id: clientId,
    client_secret: clientSecret,
  };
  await send(`${sim.authUrl}/oauth`, refresh, {});
  const fresh = await logIn(sim.credentials);

  const bearer = (token = ""): Record<string, string> => ({ authorization: `Bearer ${token}` });
  const paymentMethods = [
    "pm_card_approved",
    "pm_card_challenge",
    "pm_card_insufficient_funds",
    "pm_card_generic_decline",
    "pm_card_processor_unavailable",
    "pm_gcash",
    "pm_display_details",
    "card",
    "grab_pay",
    "pm_none",
  ];
  const plan = plans.map(({ id = "" }) => id);
  return {
    sim,
    usedRefreshToken: used.refresh_token,
    callers: {
      merchant: bearer(own.access_token),
      neighbour: bearer(foreign.access_token),
      expired: bearer(expired),
      unknown: bearer("nobody"),
      malformed: { authorization: "Bearer" },
      nobody: {},
      "client key": bearer(unpaid["clientKey"]),
      "client key of a challenge": bearer(challenged["clientKey"]),
      administrator: { "x-admin-key": adminKey },
      "wrong administrator": { "x-admin-key": "ak_fake_none" },
      everything: { ...bearer(own.access_token), "x-admin-key": adminKey },
      client: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      "wrong client": { authorization: `Basic ${btoa("a:b")}` },
    },
    known: {
      intentId: [...sim.intents.list().map(({ id }) => id), theirs["id"] ?? "", "pi_none"],
      sessionToken: [...sim.checkouts.list(), ...sim.intents.list().slice(0, 1)].map(
        ({ sessionToken }) => sessionToken,
      ),
      planId: [...plan, "plan_none"],
      after: plan,
      subscriptionId: [...sim.subscriptions.list().map(({ id }) => id), "sub_none"],
      transactionId: [...sim.transactions.list().map(({ id }) => id), "txn_none"],
      challengeId: [challenged, wallet].map(({ redirectUrl = "" }) => redirectUrl.split("/").at(-1) ?? ""),
      paymentMethodId: paymentMethods,
      paymentMethod: paymentMethods,
      method: paymentMethods,
      cardNumber: ["4343434343434345", "4120000000000007", "5500000000000194", "4343434343434340"],
      client_id: [clientId, neighbour.clientId],
      client_secret: [clientSecret],
      grant_type: ["client_credentials", "refresh_token", "password"],
      refresh_token: [fresh.refresh_token, used.refresh_token, "rt_fake_none"],
    },
  };
}

/** The statuses of each resource, which a world with every status has all of. */
export function statusesIn(sim: Simulator): Readonly<Record<string, ReadonlySet<string>>> {
  const { intents, checkouts, subscriptions, invoices, transactions } = sim;
  const readers = { intents, checkouts, subscriptions, invoices, transactions };
  assert.ok(sim.plans.list().length > 0);
  return Object.fromEntries(
    Object.entries(readers).map(([name, reader]) => [name, new Set(reader.list().map(({ status }) => status))]),
  );
}
