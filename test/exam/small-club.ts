import type { ExamOptions, Opening } from "centavo/exam";
import { signedText, smallClient } from "./small-client.ts";

export interface Member {
  readonly id: string;
  plan: string;
  status: string;
  isOpen: boolean;
  subscription?: string;
  paidUntil?: string;
  wasClosed?: boolean;
  /** When the service last changed what is known. */
  asOf: string;
}

export type Members = Map<string, Member>;

/** Mistakes that this club can make. */
export type Mistake =
  | "opens when the customer comes back"
  | "opens before the payment"
  | "checks no signature"
  | "stays open when unpaid"
  | "closes when past due"
  | "stays closed after a recovery"
  | "stays open after the end"
  | "counts 30 days"
  | "closes after 30 days"
  | "keeps the old plan"
  | "subscribes at each try"
  | "forgets to cancel"
  | "never asks";

interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly currentPeriodStart?: string;
  readonly currentPeriodEnd?: string;
  readonly plan: { readonly name: string };
  readonly latestInvoice: { readonly status: string };
}

const PRICES: Readonly<Record<string, number>> = { basic: 19_900, plus: 49_900 };
const THIRTY_DAYS = 30 * 86_400_000;

/** A club with memberships, with a fetch handler. Without a mistake it is right. */
export function openSmallClub(opening: Opening<Members>, mistake?: Mistake) {
  const { sim, store, url } = opening;
  const call = smallClient(opening as Opening<never>);

  const planIdOf = async (name: string): Promise<string> => {
    const path = "/api/subscription/plans";
    const known = await call<{ items: { id: string; name: string }[] }>("GET", path);
    const found = known.data?.items.find((plan) => plan.name === name)?.id;
    if (found !== undefined) return found;
    const fields = { name, amount: PRICES[name], interval: "month" };
    return (await call<{ id: string }>("POST", path, fields, `plan-${name}`)).data?.id ?? "";
  };

  const learn = (member: Member, read: Subscription | undefined): void => {
    if (read === undefined || read.updatedAt < member.asOf) return;
    const { status, currentPeriodStart = "", currentPeriodEnd, plan, latestInvoice, updatedAt } = read;
    Object.assign(member, { status, asOf: updatedAt });
    if (mistake !== "keeps the old plan") member.plan = plan.name;
    if (latestInvoice.status === "paid" && currentPeriodEnd !== undefined) member.paidUntil = currentPeriodEnd;
    if ((mistake === "counts 30 days" || mistake === "closes after 30 days") && member.paidUntil !== undefined)
      member.paidUntil = new Date(Date.parse(currentPeriodStart) + THIRTY_DAYS).toISOString();
    if (status !== "active") member.wasClosed = mistake === "stays closed after a recovery" && status !== "incomplete";
    member.isOpen =
      (status === "active" && member.wasClosed !== true) ||
      (status === "past_due" && mistake !== "closes when past due") ||
      (status === "unpaid" && mistake === "stays open when unpaid") ||
      (member.isOpen && status === "cancelled" && mistake === "stays open after the end");
  };

  const refresh = async (member: Member): Promise<void> => {
    if (member.subscription === undefined) return;
    learn(member, (await call<Subscription>("GET", `/api/subscription/${member.subscription}`)).data);
  };

  const join = async (id: string, plan: string, method: string): Promise<Response> => {
    if (!store.has(id)) store.set(id, { id, plan, status: "incomplete", isOpen: false, asOf: "" });
    const member = store.get(id) as Member;
    const contact = { name: id, email: `${id}@club.example` };
    const returnUrl = `${url}/return?member=${id}`;
    const fields = { planId: await planIdOf(plan), contact, externalId: id, returnUrl, webhookUrl: `${url}/hooks` };
    if (mistake === "subscribes at each try") delete member.subscription;
    const key = mistake === "subscribes at each try" ? undefined : `join-${id}`;
    const begun =
      member.subscription ?? (await call<Subscription>("POST", "/api/subscription/initiate", fields, key)).data?.id;
    if (begun === undefined) return Response.json(member, { status: 502 });
    member.subscription = begun;
    if (mistake === "opens before the payment") member.isOpen = true;
    const payment = { subscriptionId: begun, paymentMethodId: method };
    const paid = await call<{ redirectUrl?: string }>(
      "POST",
      "/api/subscription/process-payment",
      payment,
      `pay-${begun}-${method}`,
    );
    return Response.json({ ...member, next: paid.data?.redirectUrl ?? paid.redirectUrl });
  };

  const receive = async (request: Request): Promise<Response> => {
    const signed = request.clone();
    const text =
      mistake === "checks no signature"
        ? await request.text()
        : await signedText(signed, sim.credentials.webhookSecret, opening.now());
    if (text === undefined) return new Response(null, { status: 401 });
    const { data } = JSON.parse(text) as { data?: { id: string; attributes: Subscription } };
    const member = [...store.values()].find(
      ({ subscription }) => subscription !== undefined && subscription === data?.id,
    );
    if (member !== undefined && data?.attributes.latestInvoice !== undefined) learn(member, data.attributes);
    return new Response();
  };

  return async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/hooks") return receive(request);
    if (pathname === "/jobs/refresh") {
      if (mistake !== "never asks") for (const member of store.values()) await refresh(member);
      return new Response();
    }
    if (pathname === "/return") {
      const member = store.get(searchParams.get("member") ?? "");
      if (member === undefined) return new Response(null, { status: 404 });
      if (mistake === "opens when the customer comes back" && searchParams.get("status") === "succeeded")
        member.isOpen = true;
      else await refresh(member);
      return Response.json(member);
    }
    const { id, plan, method } = (await request.json()) as { id: string; plan: string; method: string };
    if (pathname === "/members") return join(id, plan, method);
    const member = store.get(id);
    if (member?.subscription === undefined) return new Response(null, { status: 404 });
    const path = `/api/subscription/${member.subscription}`;
    if (pathname === "/leave" && mistake === "forgets to cancel") {
      member.isOpen = false;
      return Response.json(member);
    }
    const answer =
      pathname === "/card"
        ? await call("PATCH", `${path}/payment-method`, { paymentMethodId: method })
        : pathname === "/plan"
          ? await call("PATCH", `${path}/plan`, { planId: await planIdOf(plan) })
          : await call("DELETE", path);
    if (answer.data === undefined) return Response.json(member, { status: 502 });
    await refresh(member);
    return Response.json(member);
  };
}

/** Returns an exam of the club. Who has left loses access at once, or at the end of the period that is paid for. */
export function examOfClub(
  mistake?: Mistake,
  leavers: "at once" | "until period end" = "at once",
): ExamOptions<Members> {
  const isStillPaid = ({ status, paidUntil = "" }: Member): boolean =>
    leavers === "until period end" && status === "cancelled" && Date.parse(paidUntil) > Date.now();
  return {
    open: (opening) => openSmallClub(opening, mistake),
    acts: {
      join: ({ visit, id, plan, method }) => visit("POST", "/members", { id, plan, method }),
      changeCard: ({ visit, id, method }) => visit("POST", "/card", { id, method }),
      changePlan: ({ visit, id, plan }) => visit("POST", "/plan", { id, plan }),
      leave: ({ visit, id }) => visit("POST", "/leave", { id }),
    },
    books: ({ store }) => ({
      memberships: [...store.values()].map((member) => {
        const { id, isOpen, paidUntil, plan } = member;
        const isInTime = mistake !== "closes after 30 days" || Date.parse(paidUntil ?? "") > Date.now();
        return { id, hasAccess: isStillPaid(member) || (isOpen && isInTime), plan, paidUntil };
      }),
    }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    policy: { access: { past_due: true } },
  };
}
