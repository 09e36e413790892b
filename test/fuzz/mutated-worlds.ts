import assert from "node:assert/strict";
import { CentavoError, createSimulator, replay } from "../../src/index.ts";
import type { Recording, Simulator, SimulatorOptions, Snapshot } from "../../src/index.ts";
import { mutated } from "./mutations.ts";
import type { Mutation } from "./mutations.ts";
import type { Script } from "./random-world.ts";
import { World } from "./world.ts";

/** What is left of a world that was lived through: all of it as data, and the options of its simulator. */
export interface Lived {
  readonly snapshot: Snapshot;
  readonly recording: Recording;
  readonly options: SimulatorOptions;
}

const SHOPS = ["https://shop.example", "https://other.example"];

/** Lives through a script, without checks. */
export async function livedThrough(script: Script): Promise<Lived> {
  const world = await new World(script, { checked: false }).begin();
  await world.live(script.commands);
  await world.awaitHeldCalls();
  const { sim } = world;
  const recording = sim.recording();
  const { options } = recording;
  return { snapshot: sim.snapshot(), recording, options: options as SimulatorOptions };
}

/**
 * Checks the promises about a snapshot that was changed: it is refused as edited, unless its values are the same; restored as an edited
 * one, it is refused as a whole, or taken as it is, and a sound snapshot still leads back to a world that works.
 */
export async function isKnownAsEdited(
  { snapshot, options }: Pick<Lived, "snapshot" | "options">,
  mutation: Mutation,
): Promise<void> {
  const { data, what } = mutated(snapshot, mutation);
  const sim = createSimulator(options);
  for (const shop of SHOPS) sim.connect(shop, () => new Response(null, { status: 204 }));
  const before = JSON.stringify(sim.snapshot());
  const isRefused = (edited: boolean): string | undefined => {
    try {
      sim.restore(data as Snapshot, { edited });
      return undefined;
    } catch (error) {
      assert.ok(error instanceof CentavoError && error.code === "INVALID_SNAPSHOT", `${what}: ${String(error)}`);
      assert.equal(JSON.stringify(sim.snapshot()), before, `${what}: it was refused, and the world changed`);
      return error.message;
    }
  };
  try {
    const text = JSON.stringify(data);
    const isSame = text === JSON.stringify(snapshot);
    const refusal = isRefused(false);
    assert.equal(refusal === undefined, isSame, refusal);
    if (refusal !== undefined)
      assert.match(refusal, /was edited after it was taken|taken by a(n older| newer) version|not a snapshot/);
    if (isRefused(true) === undefined) assert.deepEqual(sim.snapshot().world, (JSON.parse(text) as Snapshot).world);
    sim.restore(JSON.parse(JSON.stringify(snapshot)) as Snapshot);
    await works(sim);
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error });
  }
}

/** Checks the promise about a recording that was changed: it is replayed, or refused in words. */
export async function isReplayedOrRefused(recording: Recording, mutation: Mutation): Promise<boolean> {
  const { data, what } = mutated(recording, mutation);
  try {
    await works(await replay(data as Recording));
    return false;
  } catch (error) {
    assert.ok(error instanceof CentavoError, `${what}: ${error instanceof Error ? error.stack : String(error)}`);
    return true;
  }
}

async function works(sim: Simulator): Promise<void> {
  const failuresBefore = failuresIn(sim);
  read(sim);
  await callEverything(sim);
  sim.faults.clear();
  for (const { id } of sim.webhooks
    .events({})
    .filter(({ url }) => url !== undefined)
    .slice(-3))
    sim.webhooks.redeliver(id);
  await sim.clock.advance("5 days");
  await callEverything(sim);
  await sim.clock.advance("70 days");
  read(sim);
  assert.deepEqual(failuresIn(sim).slice(failuresBefore.length), [], "the journal tells of a failure");
  sim.restore(sim.snapshot());
  sim.fork();
  sim.reset();
  await sim.close();
}

function failuresIn({ journal }: Simulator): string[] {
  return journal.entries.flatMap(({ kind, details }) => (kind === "failure" ? [JSON.stringify(details)] : []));
}

/** Asks every reader for everything. */
function read(sim: Simulator): void {
  for (const reader of [sim.intents, sim.checkouts, sim.plans, sim.subscriptions, sim.invoices, sim.transactions]) {
    reader.last();
    for (const { id } of reader.list()) assert.ok(reader.get(id) !== undefined, `there is no ${id}`);
  }
  sim.ledger();
  sim.webhooks.events();
  sim.webhooks.attempts();
  sim.faults.list();
  sim.clock.pending();
  sim.assumptions.used();
  assert.ok(sim.credentials.clientId !== "");
  JSON.stringify([sim.snapshot(), sim.recording(), sim.journal.entries, sim.journal.digest(), String(sim.journal)]);
}

/** Calls every route, about every object that there is. */
async function callEverything(sim: Simulator): Promise<void> {
  const { clientId, clientSecret, adminKey } = sim.credentials;
  const send = async (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<unknown> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const answering = sim.fetch(path, { method, headers: { "content-type": "application/json", ...headers }, ...json });
    // A fault may hold the answer back until the clock moves, or for good.
    const settling = sim.clock.settle();
    const answer = await Promise.race([answering, settling.then(() => undefined)]).catch(() => undefined);
    await settling;
    if (answer === undefined) return undefined;
    return answer.json().catch(() => undefined);
  };
  for (const { kind } of sim.faults.list().map(({ fault }) => fault))
    if (/^(request|response)\./.test(kind)) sim.faults.clear();
  const login = (await send("POST", "/oauth", {}, { client_id: clientId, client_secret: clientSecret })) as
    | { readonly access_token?: string }
    | undefined;
  await send("POST", "/merchants", { "x-admin-key": adminKey }, { name: "New", email: "new@shop.example" });
  await send("GET", "/.well-known/jwks.json", {});
  const bearer = { authorization: `Bearer ${login?.access_token}` };
  const get = (path: string): Promise<unknown> => send("GET", path, bearer);
  const paymentMethodId = "pm_card_approved";
  for (const path of [
    "/api/transactions",
    "/api/transactions/payment-sessions",
    "/api/subscription",
    "/api/subscription/plans",
  ])
    await get(`${path}?limit=100`);
  for (const { id } of sim.transactions.list()) await get(`/api/transactions/transactions/${id}`);
  for (const { id } of sim.intents.list()) {
    await get(`/api/payment-intent/${id}/status`);
    await send("POST", `/api/payment-intent/${id}/confirm`, bearer, { paymentMethodId });
  }
  for (const { sessionToken, checkoutUrl } of sim.checkouts.list()) {
    await get(`/api/checkout/polling/${sessionToken}`);
    await get(`/api/transactions/payment-sessions/${sessionToken}`);
    await send("GET", `/api/checkout/session/${sessionToken}`, { "x-admin-key": adminKey });
    await sim.customer.pay(checkoutUrl, "pm_card_challenge").catch(onlyNetwork);
  }
  for (const { id } of sim.subscriptions.list()) {
    await get(`/api/subscription/${id}`);
    await get(`/api/subscription/session/${id}`);
    await send("POST", "/api/subscription/process-payment", bearer, { subscriptionId: id, paymentMethodId });
    await send("PATCH", `/api/subscription/${id}/payment-method`, bearer, { paymentMethodId });
  }
  const [first] = sim.subscriptions.list();
  if (first !== undefined) await send("DELETE", `/api/subscription/${first.id}?reason=enough`, bearer);
  await send("POST", "/api/payment-intent", bearer, { amount: 100, externalId: "order-new" });
  const order = {
    externalId: "o",
    amount: 100,
    description: "d",
    webhookUrl: "https://shop.example/hooks",
    returnUrl: "https://shop.example/back",
    contact: { name: "A", email: "a@shop.example" },
  };
  await send("POST", "/api/checkout", bearer, order);
  const plan = (await send("POST", "/api/subscription/plans", bearer, { name: "p", amount: 100, interval: "week" })) as
    | { readonly data?: { readonly id?: string } }
    | undefined;
  await send("POST", "/api/subscription/initiate", bearer, { planId: plan?.data?.id, contact: order.contact });
}

function onlyNetwork(error: unknown): void {
  if (!(error instanceof TypeError && error.message === "fetch failed")) throw error;
}
