import { createClient, type CallOptions, type Client } from "centavo/client";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { operations } from "../../src/client/operations.ts";
import { routesIn } from "../../src/kit/declaration/service.ts";
import { paymentService } from "../../src/service/service.ts";

const routes = routesIn(paymentService);

type Route = (typeof paymentService)["resources"][number]["routes"][number];
type Part<Named extends Route["name"], Name extends "params" | "query" | "body" | "data"> =
  Extract<Route, { readonly name: Named }> extends { readonly [Key in Name]?: infer Schema }
    ? Exclude<Schema, undefined>
    : never;

/** Routes whose answer has a schema: pages and the like are not for a client. */
type Answering = Route extends infer Each
  ? Each extends { readonly name: infer Name extends Route["name"]; readonly data?: infer Data }
    ? [Exclude<Data, undefined>] extends [never]
      ? never
      : Name
    : never
  : never;

/** What a call of the client takes for its route: the path's parameter, then the body or the query. */
type Given<Name extends Route["name"]> = [
  ...([Part<Name, "params">] extends [never] ? [] : [string]),
  ...([Part<Name, "body">] extends [never] ? [] : [z.input<Part<Name, "body">>]),
  ...([Part<Name, "query">] extends [never] ? [] : [query?: z.output<Part<Name, "query">> | undefined]),
  options?: CallOptions | undefined,
];

/** The call, if it takes and answers what its route does; else `never`, which no call is. */
type Agreeing<Name extends Route["name"], Call> = Call extends (...given: infer Takes) => Promise<infer Answers>
  ? [Takes, Given<Name>, Answers, z.output<Part<Name, "data">>] extends [
      Given<Name>,
      Takes,
      z.output<Part<Name, "data">>,
      Answers,
    ]
    ? Call
    : never
  : never;

/** Routes that answer data and are not the client's, and why. */
const others = {
  "merchant.register": "the administrator's: a merchant's own code never registers merchants",
} as const;

/** The call of the client for each route; one that is missing here does not compile. */
const calls = {
  "payment-intent.create": ["paymentIntents", "create"],
  "payment-intent.confirm": ["paymentIntents", "confirm"],
  "payment-intent.status": ["paymentIntents", "status"],
  "checkout.create": ["checkout", "create"],
  "checkout.process": ["checkout", "process"],
  "checkout.polling": ["checkout", "poll"],
  "checkout.session": ["checkout", "session"],
  "subscription-plan.create": ["plans", "create"],
  "subscription-plan.list": ["plans", "list"],
  "subscription-plan.get": ["plans", "get"],
  "subscription.initiate": ["subscriptions", "initiate"],
  "subscription.process-payment": ["subscriptions", "processPayment"],
  "subscription.get": ["subscriptions", "get"],
  "subscription.list": ["subscriptions", "list"],
  "subscription.session": ["subscriptions", "session"],
  "subscription.change-plan": ["subscriptions", "changePlan"],
  "subscription.change-payment-method": ["subscriptions", "changePaymentMethod"],
  "subscription.cancel": ["subscriptions", "cancel"],
  "transaction.list": ["transactions", "list"],
  "transaction.get": ["transactions", "get"],
  "transaction.list-payment-sessions": ["transactions", "listPaymentSessions"],
  "transaction.payment-session": ["transactions", "paymentSession"],
} as const satisfies Record<Exclude<Answering, keyof typeof others>, readonly [keyof Client, string]>;

type Calls = typeof calls;
type CallAt<Path> = Path extends readonly [infer Group extends keyof Client, infer Name extends string]
  ? Client[Group][Name & keyof Client[Group]]
  : never;
type Disagreeing = {
  [Name in keyof Calls]: [Agreeing<Name, CallAt<Calls[Name]>>] extends [never] ? Name : never;
}[keyof Calls];
const disagreeing: [Disagreeing] extends [never] ? "none" : Disagreeing = "none";
test("every call of the client takes and answers what its route does", () => {
  expect(disagreeing).toBe("none");
});

test.for(Object.entries(calls))(
  "%s is asked with its method and path, and nothing else",
  async ([name, [group, call]]) => {
    const asked: string[] = [];
    const client = createClient({
      baseUrl: "https://api.pay.example",
      clientId: "ci",
      clientSecret: "cs",
      adminKey: "ak",
      fetch: (url, { method }) => {
        const { pathname } = new URL(url);
        if (pathname !== "/oauth") asked.push(`${method} ${pathname}`);
        return Promise.resolve(Response.json({ success: true, data: { access_token: "at", refresh_token: "rt" } }));
      },
    });
    const { method, path, params } = routes.find((route) => route.name === name) ?? {};
    const calling = client[group] as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
    await calling[call]?.(...(params === undefined ? [] : ["some-id"]), {});
    expect(asked).toEqual([`${method} ${path?.replace(/\{\w+\}/, "some-id")}`]);
  },
);

test("every operation of the client has the name, method, path and credential of a route", () => {
  const declared = routes.map(({ name, method, path, credential }) => ({
    route: name,
    method,
    path,
    credential: credential.replace("-or-client-key", ""),
  }));
  for (const operation of Object.values(operations)) expect(declared).toContainEqual(operation);
});

test("every route that answers data has its call, or a reason to have none", () => {
  const answering = routes.filter(({ data }) => data !== undefined);
  expect(answering.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(calls), ...Object.keys(others)].toSorted(),
  );
});
