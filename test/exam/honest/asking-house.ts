import { createClient } from "centavo/client";
import type { Act, ExamOptions, Opening } from "centavo/exam";
import { Hono } from "hono";
import { booksOf, isOpen, move, PRICE } from "./asking-house-things.ts";
import type { Member, Order, Store } from "./asking-house-things.ts";
import { leading, patiently } from "./patience.ts";

const FEES: Readonly<Record<string, number>> = { basic: 19_900, plus: 49_900 };
/** A publishing house on Hono that sells books and memberships. It believes nobody: whoever pings it makes it ask the service. */
function openAskingHouse({ sim, fetch, timeout, store, url }: Opening<Store>) {
  const send = (address: string, init: RequestInit) => fetch(address, { ...init, signal: timeout("9 seconds") });
  const connection = { ...sim.credentials, baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch: send };
  const { paymentIntents, plans, subscriptions } = createClient(connection);

  const ask = async (thing: Order | Member): Promise<void> => {
    if (thing.kind === "order") {
      const { intent, state } = thing;
      if (intent === undefined || state === "paid") return;
      const { status } = await patiently(() => paymentIntents.status(intent));
      if (intent === thing.intent) move(thing, status);
      return;
    }
    const { subscription } = thing;
    if (subscription === undefined) return;
    const read = await patiently(() => subscriptions.get(subscription));
    if (subscription !== thing.subscription || read.updatedAt < (thing.known?.updatedAt ?? "")) return;
    const { status, updatedAt, currentPeriodEnd, plan } = read;
    thing.known = { status, updatedAt, plan: plan.name, ...(currentPeriodEnd && { currentPeriodEnd }) };
  };

  const pay = async (order: Order, paymentMethodId: string): Promise<string | undefined> => {
    await ask(order);
    if (order.state === "paid") return undefined;
    if (order.state === "refused") {
      order.round += 1;
      order.state = "ordered";
      delete order.intent;
    }
    const round = `${order.id}/${order.round}`;
    const addresses = { returnUrl: `${url}/things/${order.id}`, webhookUrl: `${url}/pings/${order.id}` };
    const fields = { amount: PRICE, externalId: round, ...addresses };
    const id = order.intent ?? (await patiently(() => paymentIntents.create(fields, { idempotencyKey: round }))).id;
    if (`${order.id}/${order.round}` === round) order.intent = id;
    const next = await leading(() => paymentIntents.confirm(id, { paymentMethodId }));
    await ask(order);
    return order.state === "with the bank" ? next : undefined;
  };

  const planIdOf = async (name: string): Promise<string> => {
    const { items } = await patiently(() => plans.list());
    const known = items.find((plan) => plan.name === name);
    const fields = { name, amount: FEES[name] ?? 0, interval: "month" } as const;
    return known?.id ?? (await patiently(() => plans.create(fields, { idempotencyKey: `plan ${name}` }))).id;
  };

  const join = async (member: Member, plan: string, method: string): Promise<string | undefined> => {
    await ask(member);
    if (member.known?.status.includes("cancelled") === true) {
      member.round += 1;
      delete member.subscription;
      delete member.known;
    }
    const round = `${member.id}/${member.round}`;
    const contact = { name: member.id, email: `${member.id}@customer.example` };
    const addresses = { returnUrl: `${url}/things/${member.id}`, webhookUrl: `${url}/pings/${member.id}` };
    const fields = { planId: await planIdOf(plan), contact, externalId: round, ...addresses };
    member.subscription ??= (await patiently(() => subscriptions.initiate(fields, { idempotencyKey: round }))).id;
    const subscriptionId = member.subscription;
    if (isOpen(member)) return undefined;
    const next = await leading(() => subscriptions.processPayment({ subscriptionId, paymentMethodId: method }));
    await ask(member);
    return next;
  };

  const app = new Hono();
  app.onError((error, context) => context.text(error.message, 503));
  app.all("/pings/:id", async (context) => {
    const thing = store.get(context.req.param("id"));
    if (thing !== undefined) await ask(thing);
    return context.text("Thank you, we have asked.");
  });
  app.get("/things/:id", (context) => context.json(store.get(context.req.param("id")) ?? {}));
  app.post("/round", async (context) => {
    for (const thing of store.values()) await ask(thing);
    return context.text("asked");
  });
  app.post("/:wish/:id", async (context) => {
    const { wish, id } = context.req.param();
    const { method, plan } = await context.req.json<{ method: string; plan: string }>();
    if (!store.has(id))
      store.set(
        id,
        wish === "order"
          ? { kind: "order", id, state: "ordered", parcels: 0, round: 1 }
          : { kind: "member", id, round: 1 },
      );
    const thing = store.get(id) as Order | Member;
    if (thing.kind === "order") return context.json({ next: await pay(thing, method) });
    const { subscription } = thing;
    if (wish === "join") return context.json({ next: await join(thing, plan, method) });
    if (subscription === undefined) return context.notFound();
    const card = { paymentMethodId: method };
    const planId = wish === "plan" ? await planIdOf(plan) : "";
    if (wish === "card") await leading(() => subscriptions.changePaymentMethod(subscription, card));
    if (wish === "plan") await patiently(() => subscriptions.changePlan(subscription, { planId }));
    // Who has left already is told so in an error, which leads nowhere.
    if (wish === "leave") await leading(() => subscriptions.cancel(subscription));
    await ask(thing);
    const isDone = wish !== "leave" || !isOpen(thing);
    return isDone ? context.json(thing) : context.text("We could not end it. Try again.", 503);
  });
  return app;
}

const asksFor =
  (wish: string): Act =>
  ({ visit, id, method, plan }) =>
    visit("POST", `/${wish}/${id}`, { method, plan });

export const askingHouse: ExamOptions<Store> = {
  open: openAskingHouse,
  acts: {
    order: asksFor("order"),
    payAgain: asksFor("order"),
    look: ({ visit, id }) => visit(`/things/${id}`),
    join: asksFor("join"),
    changeCard: asksFor("card"),
    changePlan: asksFor("plan"),
    leave: asksFor("leave"),
  },
  books: ({ store }) => booksOf(store),
  jobs: [{ every: "30 minutes", run: ({ visit }) => visit("POST", "/round") }],
  policy: { access: { past_due: true } },
};
