import { expect, test } from "vitest";
import type { ExamOptions, Opening } from "centavo/exam";
import { askingHouse } from "../honest/asking-house.ts";
import { ticketOffice } from "../honest/ticket-office.ts";
import { openSmallShop } from "../small-shop.ts";
import type { Mistake, Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

/** Takes a token before each call. */
const logsInEachTime = (opening: Opening<Orders>): Opening<Orders> => {
  const { fetch, sim } = opening;
  const { clientId, clientSecret } = sim.credentials;
  const body = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return {
    ...opening,
    fetch: async (input, init) => {
      if (new Request(input, init).url.startsWith(sim.baseUrl))
        await fetch(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(body) });
      return fetch(input, init);
    },
  };
};

type Handler = (request: Request) => Promise<Response>;
/** Puts something around the handler of the small shop. */
type Around = (handler: Handler, opening: Opening<Orders>) => Handler;

const examOfShop = (around: Around = (handler) => handler, mistake?: Mistake): ExamOptions<Orders> => ({
  open: (opening) => around(openSmallShop(opening, mistake), opening),
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: [...store.values()] }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
});

const isHook = ({ url }: Request): boolean => url.endsWith("/hooks");
const isOrder = ({ url }: Request): boolean => url.endsWith("/orders");

const neverAnswersEvents: Around = (handler) => async (request) =>
  isHook(request) ? new Promise<Response>(() => undefined) : handler(request);
const asksEachSecond: Around =
  (handler, { fetch, sim, sleep }) =>
  async (request) => {
    const ask = async (): Promise<void> => {
      for (let second = 0; second < 5400; second += 1) {
        await fetch(`${sim.baseUrl}/api/transactions`);
        await sleep(980);
      }
    };
    if (isOrder(request)) void ask();
    return handler(request);
  };

/** Asks for one order after the other, and ends at the first that it cannot ask for. */
const stopsAtAFailure: Around =
  (handler, { store, url }) =>
  async (request) => {
    if (!request.url.endsWith("/jobs/refresh")) return handler(request);
    for (const { id } of store.values()) {
      const shown = await handler(new Request(`${url}/return?order=${id}`));
      if ((await shown.text()) !== "paid") break;
    }
    return new Response();
  };

test("a job that stops at an order that cannot be read breaks jobs-go-on, and one that goes on breaks nothing", async () => {
  const story = ["twelve customers order at once", ["act order 2", "cannot be read"]] as const;
  expect(await judge(examOfShop(stopsAtAFailure), ...story)).toEqual([
    "jobs-go-on: order-3 was paid, and remained pending and not fulfilled while the service could not read what is paid for order-2.",
  ]);
  expect(await judge(examOfShop(), ...story)).toEqual([]);
});

test.for([
  ["nothing-waits-for-ever", "never answers an event", neverAnswersEvents],
  ["no-storm-of-calls", "asks each second for an hour and a half", asksEachSecond],
] as const)("breaks %s: a shop that %s", async ([law, , around]) => {
  const broken = await judge(examOfShop(around), "order approved");
  expect(broken.map((each) => each.split(":")[0])).toContain(law);
});

test.for([
  ["checks no signature", "forged event"],
  ["trusts the way back", "typed way back"],
] as const)("breaks forged-changes-nothing: a shop that %s, when there is a %s", async ([mistake, trouble]) => {
  const broken = await judge(examOfShop(undefined, mistake), "order with a challenge", ["act order 1", trouble]);
  expect(broken).toContain("forged-changes-nothing: order-1 was fulfilled because of a forgery, and was not paid.");
  expect(await judge(examOfShop(), "order with a challenge", ["act order 1", trouble])).toEqual([]);
});

test("breaks no-storm-of-tokens: a shop that logs in for each call, though not one that does for each request", async () => {
  const eachCall = { ...examOfShop(), open: (opening: Opening<Orders>) => openSmallShop(logsInEachTime(opening)) };
  expect(await judge(eachCall, "order approved")).toEqual([
    "no-storm-of-tokens: The merchant took another token 6 times when it had one that was good.",
  ]);
  const eachRequest: ExamOptions<Orders> = {
    ...examOfShop(),
    open: (opening) => async (request: Request) => openSmallShop(opening)(request),
  };
  for (const flow of ["order approved", "order with a challenge"]) expect(await judge(eachRequest, flow)).toEqual([]);
});

test.for(["request.latency", "response.late"])(
  "an office that blames its token for an answer that does not come is not accused: %s",
  async (trouble) => {
    for (const flow of ["checkout declined then again", "checkout twice with the first left"])
      expect(await judge(ticketOffice, flow, ["call checkout.create 1", trouble])).toEqual([]);
  },
);

test.for([
  ["join with a renewal declined then another card", "call subscription.change-payment-method 1"],
  ["join and stay for two months", "call subscription.process-payment 1"],
  ["join until unpaid then another card", "call subscription.get 6"],
] as const)(
  "a house that cannot ask the service for days is accused of neither the events nor the tokens: %s",
  async ([flow, point]) => {
    expect(await judge(askingHouse, flow, [point, "outage"])).toEqual([]);
  },
);

test("breaks jobs-go-on: a shop whose job fails for ever once an event has come that it does not know", async () => {
  const unknown = ["event payment_intent.succeeded 1", "webhook.unknown-type"] as const;
  const poisoned: Around = (handler, { store }) => {
    const poison = { id: "poison", amount: 0, status: "failed", fulfilments: 0 } as const;
    return async (request) => {
      if (isHook(request) && (await request.clone().text()).includes(".reviewed")) store.set("poison", { ...poison });
      if (request.url.includes("/jobs") && store.has("poison")) return new Response(null, { status: 500 });
      return handler(request);
    };
  };
  expect(await judge(examOfShop(poisoned), "order approved")).toEqual([]);
  expect(await judge(examOfShop(poisoned), "order approved", unknown)).toEqual([
    "jobs-go-on: A job failed in its last 3 runs, although nothing else went wrong any more: it answered 500.",
  ]);
  const throwing = {
    ...examOfShop(),
    jobs: [{ every: "10 minutes", run: () => Promise.reject(new Error("no disk")) }],
  };
  expect(await judge(throwing, "order approved")).toEqual([
    "jobs-go-on: A job failed in its last 3 runs, although nothing else went wrong any more: it threw no disk.",
  ]);
});

test("breaks no-storm-of-calls: a shop that tries again without a pause while the service is out", async () => {
  const outage = ["call payment-intent.create 1", "outage"] as const;
  const tries: Around = (_, { fetch, sim, store }) => {
    return async (request) => {
      if (isOrder(request))
        for (let count = 0; count < 100; count += 1)
          if ((await fetch(`${sim.baseUrl}/api/payment-intent`, { method: "POST", body: "{}" })).status < 500) break;
      return Response.json([...store.keys()]);
    };
  };
  expect(await judge(examOfShop(tries), "order approved", outage)).toContain(
    "no-storm-of-calls: The merchant called POST /api/payment-intent 100 times within a second.",
  );
  expect(await judge(examOfShop(), "order approved", outage)).toEqual([]);
});

test("breaks acts-on-what-it-was-told: a shop that answers events and does nothing", async () => {
  const ignores: Around = (handler) => async (request) =>
    isHook(request) || request.url.includes("/jobs") ? new Response() : handler(request);
  expect(await judge(examOfShop(ignores), "order approved")).toContain(
    "acts-on-what-it-was-told: The event payment_intent.succeeded, which was answered with 2xx, said that order-1 is paid, and it is still pending and not fulfilled.",
  );
});

const ofSucceeded = "event payment_intent.succeeded 1";
const takesForgeries = (broken: readonly string[]): readonly string[] =>
  broken.filter((each) => each.startsWith("refuses-forgeries"));

test.for([
  ["webhook.stale-timestamp", "an old timestamp"],
  ["webhook.wrong-secret", "the signature of another merchant"],
  ["webhook.corrupt-body", "a body that was changed"],
] as const)(
  "breaks refuses-forgeries: a shop that takes what it must refuse, as after %s",
  async ([trouble, wrong]) => {
    const shown = new Set<string>();
    // It looks at the event before it looks at the signature, and thanks for each that it sees for the first time.
    const thanks: Around = (handler) => async (request) => {
      if (!isHook(request)) return handler(request);
      const text = await request.clone().text();
      const { type } = JSON.parse(text) as { type: string };
      const answer = await handler(request);
      if (shown.has(type)) return answer;
      shown.add(type);
      return new Response("Thank you.");
    };
    expect(takesForgeries(await judge(examOfShop(thanks), "order approved", [ofSucceeded, trouble]))).toEqual([
      `refuses-forgeries: The merchant answered 200 to the event payment_intent.succeeded with ${wrong}, and 401 to the same event with another signature.`,
    ]);
    expect(await judge(examOfShop(), "order approved", [ofSucceeded, trouble])).toEqual([]);
  },
);

test("a house that asks the service whenever anybody knocks, and thanks all of them, takes no forgery", async () => {
  for (const trouble of ["webhook.stale-timestamp", "webhook.wrong-secret", "webhook.corrupt-body"])
    expect(await judge(askingHouse, "order approved", [ofSucceeded, trouble])).toEqual([]);
  for (const trouble of ["forged event", "forged event without a signature", "event of another merchant"])
    expect(await judge(askingHouse, "order with a challenge", ["act order 1", trouble])).toEqual([]);
});
