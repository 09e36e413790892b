import { withGlobal } from "@sinonjs/fake-timers";
import { createClient } from "centavo/client";
import { exam, redisStore } from "centavo/exam";
import type { ActContext, ExamOptions, Opening } from "centavo/exam";
import { assertPassed } from "centavo/testing";
import { examOfSmallShop, openSmallShop } from "../../exam/small-shop.ts";
import type { Causes } from "./cause.ts";

const options: ExamOptions = {
  open: () => () => new Response(),
  acts: { order: ({ visit }) => visit("/orders") },
  books: () => ({ orders: [] }),
  budget: { stories: 1 },
};
const examine = (changed: object) => () => exam({ ...options, ...changed });

/** The shop of these cases serves nobody. */
const unjudged = { "good-card-is-served": "off" };
const lawThat = (breaches: () => unknown): object => ({
  sentence: "None.",
  remedy: "None.",
  holds: "always",
  breaches,
});

/** Sends no address for events. */
const withoutAddress =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (input, init) => {
    const body = typeof init?.body === "string" ? init.body.replace(/,"webhookUrl":"[^"]*"/, "") : init?.body;
    return fetch(input, { ...init, ...(body !== undefined && { body }) });
  };

/** The act makes the call that the app waits for, as a program elsewhere would. */
const callsFromElsewhere = (): Promise<unknown> => {
  const [asked, called] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
  let logIn: () => Promise<Response> = () => Promise.reject(new Error("The app is not open."));
  return exam({
    ...options,
    open: ({ sim, fetch }) => {
      logIn = () => fetch(`${sim.authUrl}/oauth`, { method: "POST" });
      return () => {
        asked.resolve();
        return called.promise;
      };
    },
    acts: {
      order: async ({ visit }) => {
        const answer = visit("/orders");
        // The exam ends the program while it waits.
        answer.catch(() => undefined);
        await asked.promise;
        called.resolve(await logIn());
        return answer;
      },
    },
  });
};

/** What goes wrong with an exam. */
export const examCauses: Causes = {
  INTERCEPTION_REFUSED: {
    "exam: fake timers that stop Node itself": async () => {
      const { queueMicrotask } = globalThis;
      const faked = withGlobal(globalThis).install({ toFake: ["queueMicrotask"] });
      try {
        await exam(options);
      } finally {
        faked.uninstall();
        globalThis.queueMicrotask = queueMicrotask;
      }
    },
  },
  INVALID_OPTION: {
    "verdict.testOf: no exam file": async () => (await exam(options)).testOf(undefined as never, {} as never),
    "verdict.testOf: an unknown runner": async () =>
      (await exam(options)).testOf(undefined as never, { exam: "./shop.exam.ts", runner: "mocha" as never }),
    "exam: no options": () => exam(undefined as never),
    "exam: an unknown option": examine({ sead: 1 }),
    "exam: no program": examine({ open: {} }),
    "exam: no books": examine({ books: [] }),
    "exam: books that are no object": examine({ books: () => [] }),
    "exam: books with nothing to judge": examine({ books: () => ({}) }),
    "exam: books that throw": examine({ books: () => JSON.parse("<!doctype html>") as never }),
    "exam: books that cannot be read": examine({
      books: () => ({
        get orders(): never {
          throw new Error("closed");
        },
      }),
    }),
    "exam: books that throw at the end of a later story": () =>
      exam({
        ...examOfSmallShop(),
        books: ({ store }) => {
          const orders = [...store.values()];
          return orders.every(({ status }) => status === "paid")
            ? { orders }
            : (JSON.parse("<!doctype html>") as never);
        },
      }),
    "exam: events that go to a route that is missing": () =>
      exam({
        ...examOfSmallShop(),
        open: (opening) => openSmallShop({ ...opening, fetch: withoutAddress(opening.fetch) }),
        webhookPath: "/hoks",
      }),
    "exam: orders that are no list": examine({ books: () => ({ orders: {} }) }),
    "exam: an order without a status": examine({ books: () => ({ orders: [{ id: "order-1" }] }) }),
    "exam: an order with secrets in place of its status": examine({
      books: () => ({ orders: [{ id: "order-1", status: ["whsec_c2VjcmV0LW9mLWEtc2hvcA", "4242 4242 4242 4242"] }] }),
    }),
    "exam: an order that is none": examine({ books: () => ({ orders: ["order-1"] }) }),
    "exam: stock that is none": examine({ books: () => ({ stock: ["book"] }) }),
    "exam: an unknown act": examine({ acts: { oder: () => new Response() } }),
    "exam: no act": examine({ acts: {} }),
    "exam: an act that throws": examine({ acts: { order: () => JSON.parse("}") as never } }),
    "exam: an act that throws after it asked": examine({
      acts: { order: async ({ visit }: ActContext) => JSON.parse(await (await visit("/orders")).text()) as Response },
    }),
    "exam: an act whose route is missing": examine({ open: () => () => new Response(null, { status: 404 }) }),
    "exam: books with ids that no customer used": examine({
      books: () => ({ orders: [{ id: "17", status: "paid", fulfilments: 1, amount: 100 }] }),
    }),
    "exam: a merchant elsewhere": callsFromElsewhere,
    "exam: an act that returns no answer": examine({ acts: { order: () => undefined } }),
    "exam: an app that answers no Response": examine({ open: () => () => ({ ok: true }) }),
    "exam: a law that throws": examine({ laws: { ...unjudged, mine: lawThat(() => JSON.parse("}") as never) } }),
    "exam: a law whose reached throws": examine({
      laws: { ...unjudged, mine: { ...lawThat(() => []), reached: () => JSON.parse("}") as never } },
    }),
    "exam: a law that returns no list": examine({ laws: { ...unjudged, mine: lawThat(() => true) } }),
    "exam: a wait that is none": examine({ longestWait: "1 minute" }),
    "exam: a delay of the store that is none": examine({ storeDelay: "slow" }),
    "exam: an act that is no function": examine({ acts: { order: "/orders" } }),
    "exam: jobs that are no list": examine({ jobs: { every: "1 day" } }),
    "exam: a job without a duration": examine({ jobs: [{ every: "nightly", run: () => undefined }] }),
    "exam: a policy that is misspelt": examine({ policy: { access: { cancelled: "until paid end" } } }),
    "exam: a policy that no status takes": examine({ policy: { access: { past_due: "until period end" } } }),
    "exam: an unknown status in the policy": examine({ policy: { access: { pastdue: true } } }),
    "exam: an unknown law": examine({ laws: { "charged-onse": "off" } }),
    "exam: a law that is neither off nor warns": examine({ laws: { "charged-once": false } }),
    "exam: a budget of nothing": examine({ budget: { stories: 0 } }),
    "exam: an unknown budget": examine({ budget: { minutes: 1 } }),
    "exam: an option that is gone": examine({ stateless: true }),
    "exam: one plan": examine({ plans: ["basic"] }),
    "exam: a path for events that is none": examine({ webhookPath: "https://news.example/hooks" }),
    "exam: events that go elsewhere": examine({
      open: ({ sim, fetch }: Opening) => {
        const client = createClient({ baseUrl: sim.baseUrl, authUrl: sim.authUrl, fetch, ...sim.credentials });
        return async () => {
          const webhookUrl = "https://news.example/hooks";
          const { id } = await client.paymentIntents.create({ amount: 10_000, webhookUrl });
          await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
          return new Response();
        };
      },
    }),
    "exam: a shard that does not exist": examine({ shard: { index: 3, of: 2 } }),
    "exam: a token that was cut": examine({ replay: "eyJmbG93Ijoib3JkZXIs" }),
    "exam: a token of another version": examine({
      replay: btoa(JSON.stringify({ flow: "order, approved" })).replaceAll("=", ""),
    }),
    "exam: a story of an act that is missing": examine({
      replay: btoa(JSON.stringify({ flow: "checkout approved" })).replaceAll("=", ""),
    }),
    "exam: a program that throws at its start": examine({
      open: () => {
        void Promise.reject(new Error("no database at db.example"));
        return () => new Response();
      },
    }),
    "exam: an app that is none": examine({ open: () => "shop" }),
    "exam: a store that opens nothing": examine({ store: { open: () => undefined, isWrite: () => true } }),
    "exam: a store that cannot be copied": examine({ store: new Map([["send", () => undefined]]) }),
    "exam: a store that is nested too deeply": examine({
      store: Array.from({ length: 100_000 }).reduce<object>((inner) => ({ inner }), {}),
    }),
    "assertPassed: the failures of a verdict": () => assertPassed([]),
  },
  INVALID_STATE: {
    "redisStore: no empty database": examine({
      store: redisStore({
        connect: () => ({ on: () => undefined, call: (command: string) => (command === "dbsize" ? 3 : "OK") }),
        databases: [1, 2],
      }),
    }),
  },
};
