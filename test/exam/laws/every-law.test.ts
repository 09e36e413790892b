import { expect, test } from "vitest";
import type { ExamOptions, Opening, OrderInBooks } from "centavo/exam";
import { laws } from "../../../src/exam/laws/laws.ts";
import type { Flow } from "../../../src/exam/story.ts";
import { ticketOffice } from "../honest/ticket-office.ts";
import { smallClient } from "../small-client.ts";
import { examOfClub, openSmallClub } from "../small-club.ts";
import type { Members, Mistake as MistakeOfClub } from "../small-club.ts";
import { examOfSmallShop, openSmallShop } from "../small-shop.ts";
import type { Mistake, Order, Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";
import type { Placed } from "./judge.ts";

/** An honest merchant who keeps a law, and one who breaks it, in the same story. */
interface Pair {
  readonly judgeHonest: () => Promise<string[]>;
  readonly judgeBreaker: () => Promise<string[]>;
}

type Handler = (request: Request) => Promise<Response> | Response;

function pair<Store>(
  honest: ExamOptions<Store>,
  breaker: ExamOptions<Store>,
  flow: string | Flow,
  ...troubles: Placed[]
): Pair {
  return {
    judgeHonest: () => judge(honest, flow, ...troubles),
    judgeBreaker: () => judge(breaker, flow, ...troubles),
  };
}

/** The small shop, with something around its handler. */
function shop(around: (handler: Handler, opening: Opening<Orders>) => Handler, mistake?: Mistake): ExamOptions<Orders> {
  return { ...examOfSmallShop(), open: (opening) => around(openSmallShop(opening, mistake), opening) };
}

/** The small shop, with something done at the requests of one path. */
function shopAt(
  path: string,
  does: (
    request: Request,
    opening: Opening<Orders>,
    handler: Handler,
  ) => Promise<Response | undefined> | Response | undefined,
  mistake?: Mistake,
): ExamOptions<Orders> {
  return shop(
    (handler, opening) => async (request) =>
      (new URL(request.url).pathname === path ? await does(request, opening, handler) : undefined) ?? handler(request),
    mistake,
  );
}

/** The small shop, whose books say something else of each order. */
function shopWhoseBooks(say: (order: Order) => Partial<OrderInBooks>): ExamOptions<Orders> {
  return {
    ...examOfSmallShop(),
    books: ({ store }) => ({ orders: [...store.values()].map((order) => Object.assign({}, order, say(order))) }),
  };
}

function shopWithStock(left: (orders: readonly Order[]) => number): ExamOptions<Orders> {
  return {
    ...examOfSmallShop(),
    books: ({ store }) => ({ orders: [...store.values()], stock: { book: left([...store.values()]) } }),
  };
}

const small = examOfSmallShop();
const club = (mistake: MistakeOfClub, flow: string, ...troubles: Placed[]): Pair =>
  pair(examOfClub(), examOfClub(mistake), flow, ...troubles);
/** A club whose books do not say until when its members have paid. */
const unsaid = (options: ExamOptions<Members>): ExamOptions<Members> => ({
  ...options,
  books: async (context) => {
    const { memberships = [] } = await options.books(context);
    return { memberships: memberships.map(({ id, hasAccess }) => ({ id, hasAccess })) };
  },
});
const soldFrom = (stock: number) =>
  shopWithStock((orders) => stock - orders.filter(({ status }) => status === "paid").length);
const orderThenWait: Flow = {
  name: "order then wait",
  steps: [
    { kind: "act", act: "order", id: "order-1", method: "pm_card_approved" },
    { kind: "wait", milliseconds: 86_400_000 },
  ],
};
const HOUR = 3_600_000;

const login = async ({ fetch, sim }: Opening<Orders>): Promise<unknown> => {
  const { clientId, clientSecret } = sim.credentials;
  const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return fetch(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(fields) });
};

/** Forgets events, and asks for an order only when it is old. */
const asksAfterTwoDays = (): ExamOptions<Orders> => {
  const began = new Map<string, number>();
  return shop((handler, { now, store }) => async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/hooks") return new Response();
    if (
      pathname === "/jobs/refresh" &&
      [...store.keys()].some((id) => now().getTime() - (began.get(id) ?? 0) < 48 * HOUR)
    )
      return new Response();
    const answer = await handler(request);
    for (const id of store.keys()) if (!began.has(id)) began.set(id, now().getTime());
    return answer;
  });
};

/** Shows an order as paid as soon as anybody sends an event about it. */
const showsWhatAnybodySends = (): ExamOptions<Orders> => {
  const shown = new Set<string>();
  const options = shopAt("/hooks", async (request, { store }) => {
    const { type, data } = (await request.clone().json()) as { type: string; data?: { id?: string } };
    for (const order of store.values())
      if (order.intent === data?.id && type === "payment_intent.succeeded") shown.add(order.id);
    return undefined;
  });
  return {
    ...options,
    books: ({ store }) => ({
      orders: [...store.values()].map((order) => Object.assign({}, order, shown.has(order.id) && { status: "paid" })),
    }),
  };
};

/** Works for a minute on each event that it gets for the first time. */
const worksOnEventsForAMinute = (): ExamOptions<Orders> => {
  const known = new Set<string>();
  return shopAt("/hooks", async (request, { sleep }) => {
    const event = await request.clone().text();
    if (!known.has(event)) {
      known.add(event);
      await sleep("1 minute");
    }
    return undefined;
  });
};

/** Tries the first order again, with another payment, whatever came of the first one. */
const paysTheFirstOrderTwice = (): ExamOptions<Orders> =>
  shopAt(
    "/orders",
    async (request, { store }, handler) => {
      if (store.size > 0) return undefined;
      const again = request.clone();
      await handler(request);
      for (const order of store.values()) delete order.intent;
      return handler(again);
    },
    "no idempotency keys",
  );

/** Makes an order of any payment that succeeded, whoever made it. */
const shipsWhateverIsPaid = (): ExamOptions<Orders> =>
  shopAt("/hooks", async (request, { store }) => {
    const { data } = (await request.clone().json()) as { data?: { id: string } };
    const isKnown = [...store.values()].some(({ intent }) => intent === data?.id);
    if (data !== undefined && !isKnown)
      store.set(data.id, { id: data.id, amount: 100, status: "paid", fulfilments: 1 });
    return undefined;
  });

const cancelsTheFirstMember = (): ExamOptions<Members> => {
  const options = examOfClub();
  return {
    ...options,
    open: (opening) => {
      const handler = openSmallClub(opening);
      const call = smallClient(opening as Opening<never>);
      return async (request: Request) => {
        const [first] = opening.store.values();
        if (new URL(request.url).pathname === "/jobs/refresh" && first?.status === "active")
          await call("DELETE", `/api/subscription/${first.subscription}`);
        return handler(request);
      };
    },
  };
};

const leadsBack = (): typeof ticketOffice => {
  const first = new Map<string, Response>();
  return {
    ...ticketOffice,
    acts: {
      checkout: async (context) => {
        const answer = await ticketOffice.acts.checkout?.(context);
        if (answer !== undefined && !first.has(context.id)) first.set(context.id, answer);
        return (first.get(context.id) as Response).clone();
      },
    },
  };
};

const pairs: Readonly<Record<string, Pair>> = {
  "paid-before-fulfilled": pair(
    small,
    shopWhoseBooks(() => ({ fulfilments: 1 })),
    "order with the challenge left",
  ),
  "fulfilled-once": pair(small, examOfSmallShop("fulfils each time"), "order approved", [
    "event payment_intent.succeeded 1",
    "webhook.new-id",
  ]),
  "charged-once": pair(
    small,
    shopAt(
      "/orders",
      async (request, { store }) => {
        const { id } = (await request.clone().json()) as { id: string };
        const order = store.get(id);
        if (order !== undefined) delete order.intent;
        return undefined;
      },
      "no idempotency keys",
    ),
    "order approved",
    ["act order 1", "back button"],
  ),
  "given-back-once": pair(
    shopWhoseBooks(() => ({ refunded: 0 })),
    shopWhoseBooks(({ status }) => ({ refunded: status === "paid" ? 49_901 : 0 })),
    "order approved",
  ),
  "paid-and-fulfilled": pair(small, examOfSmallShop("never asks"), "order approved", [
    "event payment_intent.succeeded 1",
    "webhook.drop",
  ]),
  "status-agrees": pair(
    small,
    shopWhoseBooks(() => ({ status: "pending" })),
    "order approved",
  ),
  "never-oversold": pair(
    soldFrom(9),
    shopWithStock(
      (orders) =>
        9 -
        orders.filter(({ status }) => status === "paid").length -
        20 * orders.filter(({ status }) => status === "pending").length,
    ),
    "order paid at the counter",
  ),
  "stock-freed": pair(
    soldFrom(9),
    shopWithStock((orders) => 9 - orders.length),
    "order with the challenge left",
  ),
  "paid-before-access": club("opens before the payment", "join with the challenge left"),
  "access-agrees": club("stays open when unpaid", "join with renewals declined until unpaid"),
  "access-lasts": pair(
    unsaid(examOfClub()),
    unsaid(examOfClub("closes after 30 days")),
    "join and stay for two months",
  ),
  "paid-until-agrees": club("counts 30 days", "join approved"),
  "plan-agrees": club("keeps the old plan", "join then another plan"),
  "subscribed-once": club("subscribes at each try", "join approved", ["act join 1", "back button"]),
  "leaves-for-good": club("forgets to cancel", "join then leave"),
  "charged-as-asked": pair(small, paysTheFirstOrderTwice(), "order declined at once"),
  "ordered-before-fulfilled": pair(small, shipsWhateverIsPaid(), "order approved", [
    "event payment_intent.succeeded 1",
    "webhook.unknown-object",
  ]),
  "cancelled-as-asked": pair(examOfClub(), cancelsTheFirstMember(), "join approved"),
  "acts-on-what-it-was-told": pair(small, asksAfterTwoDays(), orderThenWait),
  "told-the-truth": pair(
    small,
    shopAt("/orders", async (request, _opening, handler) => {
      const answer = await handler(request);
      return Response.json(await answer.json(), { status: 402 });
    }),
    "order approved",
  ),
  "led-to-the-challenge": pair(
    small,
    shopAt("/orders", async (request, _opening, handler) => {
      const { next } = (await (await handler(request)).json()) as { next?: string };
      return Response.json({}, { status: next === undefined ? 200 : 402 });
    }),
    "order with a challenge",
  ),
  "led-to-an-open-page": pair(ticketOffice, leadsBack(), "checkout declined then again"),
  "good-card-is-served": pair(
    small,
    shopAt("/orders", async (request, { store }) => {
      const { id } = (await request.clone().json()) as { id: string };
      return store.size === 0 || store.has(id) ? undefined : new Response("one customer is enough", { status: 503 });
    }),
    "order approved",
  ),
  "takes-every-event": pair(
    small,
    shopAt("/hooks", async (request) =>
      (await request.clone().text()).includes(".reviewed") ? new Response(null, { status: 500 }) : undefined,
    ),
    "order approved",
    ["event payment_intent.succeeded 1", "webhook.unknown-type"],
  ),
  "answers-in-time": pair(small, worksOnEventsForAMinute(), "order approved"),
  "forged-changes-nothing": pair(small, showsWhatAnybodySends(), "order with a challenge", [
    "act order 1",
    "forged event",
  ]),
  "refuses-forgeries": pair(small, examOfSmallShop("checks no stamp"), "order approved", [
    "event payment_intent.succeeded 1",
    "webhook.stale-timestamp",
  ]),
  "no-storm-of-calls": pair(
    small,
    shopAt("/hooks", async (_request, { fetch, sim }) => {
      for (let call = 0; call < 40; call += 1) await fetch(`${sim.baseUrl}/api/transactions`);
      return undefined;
    }),
    "order approved",
  ),
  "no-storm-of-tokens": pair(
    small,
    shopAt("/orders", async (_request, opening) => {
      for (let call = 0; call < 12; call += 1) await login(opening);
      return undefined;
    }),
    "order approved",
  ),
  "jobs-go-on": pair(
    small,
    shopAt("/jobs/refresh", () => new Response(null, { status: 500 })),
    "order approved",
  ),
  "no-crash": pair(
    small,
    shopAt("/hooks", () => {
      void Promise.reject(new Error("the mail server is away"));
      return undefined;
    }),
    "order approved",
  ),
  "secrets-stay": pair(
    small,
    shopAt("/orders", async (request, { sim }, handler) =>
      Response.json({ ...(await (await handler(request)).json()), debug: sim.credentials.clientSecret }),
    ),
    "order approved",
  ),
  "nothing-waits-for-ever": pair(
    small,
    shopAt("/return", () => new Promise(() => undefined)),
    "order with a challenge",
  ),
};

test.for(laws.map(({ name }) => [name] as const))(
  "an honest merchant breaks no law where another breaks %s alone",
  async ([law]) => {
    const both = pairs[law];
    if (both === undefined) throw new Error(`Give the law ${law} an honest merchant, and one who breaks it.`);
    expect(await both.judgeHonest()).toEqual([]);
    const broken = await both.judgeBreaker();
    expect(
      broken.map((each) => each.split(":", 1)[0]),
      broken.join("\n"),
    ).toEqual([law]);
  },
);

test("no merchant is kept for a law that is gone", () => {
  expect(Object.keys(pairs)).toEqual(laws.map(({ name }) => name));
});
