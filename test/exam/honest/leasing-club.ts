import type { Act, ExamOptions, Opening, StoreAdapter } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { Leases } from "./leases.ts";
import type { Member } from "./leases.ts";
import { callsOf } from "./service-calls.ts";
import type { Subscription } from "./service-calls.ts";

const ENDED = new Set(["cancelled", "incomplete_cancelled"]);
const FEES: Readonly<Record<string, number>> = { basic: 25_000, plus: 60_000 };

/**
 * A club of which several instances run on one database. An event only says of whom something is new; whoever gets the lease of that member
 * asks the service. Who has left may come until the end of the period that is paid.
 */
function openLeasingClub({ sim, fetch, timeout, now, store, url }: Opening<Leases>) {
  const call = callsOf({ sim, fetch, timeout });
  const instance = store.enterInstance();

  const ask = async ({ subscription, leaves, id }: Member): Promise<void> => {
    if (subscription === null) return;
    const path = `/api/subscription/${subscription}`;
    if (leaves === 1) await call("DELETE", path);
    const { data } = await call<Subscription>("GET", path);
    if (data === undefined) return;
    const { status, updatedAt: asOf, plan, latestInvoice } = data;
    const paidUntil = latestInvoice.status === "paid" ? latestInvoice.periodEnd : null;
    store.setRead(subscription, { status, asOf, plan: plan.name, paidUntil });
    if (leaves === 1 && ENDED.has(status)) store.setWish(id, 0);
  };

  /** Works on a member while no other instance does. Returns whether it could: another one that has the lease will see what is new. */
  const alone = async (id: string, work: () => Promise<void>): Promise<boolean> => {
    if (!store.setHeld(id, instance, now().getTime())) return false;
    try {
      await work();
    } catch (error) {
      store.setStale(id);
      throw error;
    } finally {
      store.setFree(id, instance);
    }
    return true;
  };

  /** Asks for a member, again if something new happens meanwhile. What fails is left to the next sweep. */
  const refresh = async (id: string): Promise<void> => {
    for (let looksLeft = 5; store.isStale(id) && looksLeft > 0; looksLeft -= 1) {
      const isDone = await alone(id, () => ask(store.member(id) as Member)).catch(() => false);
      if (!isDone) return;
    }
  };

  const planIdOf = async (name: string): Promise<string> => {
    const known = store.planId(name);
    if (known !== undefined) return known;
    const fields = { name, amount: FEES[name], interval: "month" };
    const { data } = await call<{ id: string }>("POST", "/api/subscription/plans", fields, `plan-${name}`);
    if (data === undefined) throw new Error(`The plan ${name} was not made.`);
    store.setPlan(name, data.id);
    return data.id;
  };

  const begin = async (id: string, plan: string, paymentMethodId: string): Promise<string | undefined> => {
    await ask(store.member(id) as Member);
    if (ENDED.has(store.member(id)?.status ?? "")) store.setNextRound(store.member(id) as Member, plan);
    const member = store.member(id) as Member;
    const externalId = `${id}-${member.round}`;
    if (member.subscription === null) {
      const contact = { name: id, email: `${id}@club.example` };
      const addresses = { returnUrl: `${url}/welcome`, webhookUrl: `${url}/hooks` };
      const fields = { planId: await planIdOf(plan), contact, externalId, ...addresses };
      const { data } = await call<Subscription>("POST", "/api/subscription/initiate", fields, externalId);
      if (data === undefined) throw new Error("The subscription was not begun.");
      store.setSubscription(member, data.id);
    }
    const subscriptionId = store.member(id)?.subscription;
    const { redirectUrl } = await call("POST", "/api/subscription/process-payment", {
      subscriptionId,
      paymentMethodId,
    });
    await ask(store.member(id) as Member);
    return redirectUrl;
  };

  const receive = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
    if (event === undefined) return new Response("This is not from the service.", { status: 401 });
    if (!("data" in event) || event.data.type !== "subscription") return new Response("This is not for us.");
    const { id } = event.data;
    store.setNews(id, event.data.attributes.externalId ?? "");
    const member = store.members().find(({ subscription }) => subscription === id);
    if (member !== undefined) await refresh(member.id);
    return new Response("Thank you.");
  };

  const answer = async (request: Request): Promise<Response> => {
    const [, place = "", id = ""] = new URL(request.url).pathname.split("/");
    if (place === "hooks") return receive(request);
    if (place === "sweep")
      for (const member of store.members()) {
        store.setStale(member.id);
        await refresh(member.id);
      }
    if (place === "members") return Response.json(store.members().map((member) => viewOf(member, now())));
    if (request.method !== "POST") return new Response("Welcome to the club.");
    const { plan, method } = (await request.json()) as Record<"plan" | "method", string>;
    if (place === "join") store.setEnrolled(id, plan);
    const { subscription = null, status = "new" } = store.member(id) ?? {};
    if (place !== "join" && subscription === null) return new Response("You are no member.", { status: 404 });
    let next: string | undefined;
    if (place === "leave") store.setWish(id, 1);
    const isDone = await alone(id, async () => {
      const path = `/api/subscription/${subscription}`;
      if (
        place === "join" ||
        (place === "card" && !(status === "active" || status === "past_due" || status === "unpaid"))
      )
        next = await begin(id, plan, method);
      else {
        if (place === "card") await call("PATCH", `${path}/payment-method`, { paymentMethodId: method });
        if (place === "plan") await call("PATCH", `${path}/plan`, { planId: await planIdOf(plan) });
        await ask(store.member(id) as Member);
      }
    });
    const isOpen = place === "leave" && store.member(id)?.leaves === 1;
    if (!isDone || isOpen) return new Response("We are busy with you. Try again.", { status: 503 });
    return Response.json({ next });
  };

  return (request: Request): Promise<Response> =>
    answer(request).catch((error: unknown) => new Response(String(error), { status: 503 }));
}

function viewOf({ id, status, plan, paidUntil }: Member, now: Date) {
  const isPaid = paidUntil !== null && now.toISOString() < paidUntil;
  const hasAccess = status === "active" || status === "past_due" || (status === "cancelled" && isPaid);
  return { id, plan, hasAccess, ...(paidUntil !== null && { paidUntil }) };
}

const store: StoreAdapter<Leases> = {
  open: () => new Leases(),
  isWrite: ({ method }) => method.startsWith("set") || method.startsWith("enter"),
};

const asksFor =
  (wish: string): Act =>
  ({ visit, id, method, plan }) =>
    visit("POST", `/${wish}/${id}`, { method, plan });

export const leasingClub: ExamOptions<Leases> = {
  open: openLeasingClub,
  store,
  acts: {
    join: asksFor("join"),
    changeCard: asksFor("card"),
    changePlan: asksFor("plan"),
    leave: asksFor("leave"),
  },
  books: async ({ visit }) => ({
    memberships: (await (await visit("/members")).json()) as ReturnType<typeof viewOf>[],
  }),
  jobs: [{ every: "15 minutes", run: ({ visit }) => visit("POST", "/sweep", {}) }],
  policy: { access: { past_due: true, cancelled: "until period end" } },
};
