import type { ExamOptions, Opening, StoreAdapter } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { Register } from "./club-register.ts";
import type { Member } from "./club-register.ts";
import { later } from "./patience.ts";
import { callsOf } from "./service-calls.ts";
import type { Subscription } from "./service-calls.ts";

/** The events that say what became of a subscription. */
const TELLING = /^subscription\.(activated|past_due|unpaid|cancelled)$/;
const ENDED = new Set(["cancelled", "incomplete_cancelled"]);
const FEES: Readonly<Record<string, number>> = { basic: 19_900, plus: 49_900 };

/** A club that lets members in by events, the newest first, and compares its register with the service's every night. */
function openClub({ sim, fetch, timeout, now, store, url }: Opening<Register>) {
  const call = callsOf({ sim, fetch, timeout });

  const learn = (subscription: Subscription | undefined, since: string): void => {
    const member = store.members().find((each) => each.subscription !== null && each.subscription === subscription?.id);
    if (subscription === undefined || member === undefined || since < member.since) return;
    const { status, plan, latestInvoice } = subscription;
    const paidUntil = latestInvoice.status === "paid" ? latestInvoice.periodEnd : member.paidUntil;
    store.save(member.id, { status, since, plan: plan.name, paidUntil });
  };

  const compare = async ({ id, subscription, leaves }: Member): Promise<void> => {
    if (subscription === null) return;
    const path = `/api/subscription/${subscription}`;
    if (leaves === 1) await call("DELETE", path);
    const { data } = await call<Subscription>("GET", path);
    // Only a status says that a member has left: a conflict may be of another kind.
    if (data !== undefined && ENDED.has(data.status)) store.save(id, { leaves: 0 });
    if (data !== undefined) learn(data, data.updatedAt);
  };

  const planIdOf = async (name: string): Promise<string> => {
    const known = store.planId(name);
    if (known !== undefined) return known;
    const fields = { name, amount: FEES[name], interval: "month" };
    const { data } = await call<{ id: string }>("POST", "/api/subscription/plans", fields, `plan-${name}`);
    store.savePlan(name, data?.id ?? "");
    return data?.id ?? "";
  };

  const join = async (id: string, plan: string, paymentMethodId: string): Promise<Response> => {
    let member = store.member(id) ?? store.save(id, { plan });
    await compare(member);
    member = store.member(id) ?? member;
    if (ENDED.has(member.status))
      member = store.save(id, { round: member.round + 1, subscription: null, status: "new", plan });
    const externalId = `${id}-${member.round}`;
    const contact = { name: id, email: `${id}@club.example` };
    const addresses = { returnUrl: `${url}/welcome`, webhookUrl: `${url}/hooks` };
    const fields = { planId: await planIdOf(plan), contact, externalId, ...addresses };
    const subscriptionId =
      member.subscription ??
      (await call<Subscription>("POST", "/api/subscription/initiate", fields, externalId)).data?.id;
    if (subscriptionId === undefined) return new Response("Try again later.", { status: 503 });
    store.save(id, { subscription: subscriptionId });
    const payment = { subscriptionId, paymentMethodId };
    const { redirectUrl } = await call("POST", "/api/subscription/process-payment", payment);
    return Response.json({ next: redirectUrl });
  };

  const receive = async (request: Request): Promise<Response> => {
    const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
    if (event === undefined) return new Response("This is not from the service.", { status: 401 });
    if (!("data" in event) || event.data.type !== "subscription") return new Response("This is not for us.");
    // A member's first event may overtake the answer that tells the subscription's id, and the answer may be lost.
    const { externalId } = event.data.attributes;
    const begun = store
      .members()
      .find(({ id, round, subscription }) => !subscription && `${id}-${round}` === externalId);
    if (begun !== undefined) store.save(begun.id, { subscription: event.data.id });
    if (TELLING.test(event.type)) learn(event.data.attributes, event.createdAt);
    return new Response("Thank you.");
  };

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname === "/hooks") return receive(request);
    if (pathname === "/nightly") for (const member of store.members()) await compare(member).catch(later);
    if (request.method === "GET") return new Response("Welcome to the club.");
    const { id, plan, method } = (await request.json()) as Record<"id" | "plan" | "method", string>;
    if (pathname === "/join") return join(id, plan, method);
    const { subscription, status } = store.member(id) ?? { subscription: null, status: "new" };
    if (subscription === null) return new Response("You are no member.", { status: 404 });
    const path = `/api/subscription/${subscription}`;
    const isNew = status === "new" || status === "incomplete";
    if (pathname === "/leave") {
      const member = store.save(id, { leaves: 1 });
      await compare(member);
    } else if (pathname === "/plan") await call("PATCH", `${path}/plan`, { planId: await planIdOf(plan) });
    else if (!isNew) await call("PATCH", `${path}/payment-method`, { paymentMethodId: method });
    else return join(id, store.member(id)?.plan ?? plan, method);
    return new Response("Done.");
  };

  return (request: Request): Promise<Response> =>
    answer(request).catch((error: unknown) => new Response(String(error), { status: 503 }));
}

const registers: StoreAdapter<Register> = {
  open: () => new Register(),
  isWrite: ({ method }) => method.startsWith("save"),
};

export const club: ExamOptions<Register> = {
  open: openClub,
  store: registers,
  acts: {
    join: ({ visit, id, plan, method }) => visit("POST", "/join", { id, plan, method }),
    changeCard: ({ visit, id, plan, method }) => visit("POST", "/card", { id, plan, method }),
    changePlan: ({ visit, id, plan, method }) => visit("POST", "/plan", { id, plan, method }),
    leave: ({ visit, id, plan, method }) => visit("POST", "/leave", { id, plan, method }),
  },
  books: ({ store }) => ({
    memberships: store.members().map(({ id, status, plan, paidUntil }) => ({
      id,
      plan,
      hasAccess: status === "active" || status === "past_due",
      paidUntil: paidUntil ?? "",
    })),
  }),
  jobs: [{ every: "1 day", run: ({ visit }) => visit("/nightly") }],
  policy: { access: { past_due: true } },
};
