import { ok } from "../merchant/answers.ts";
import { callWith, cardWith, order, planBody, postJson, startOf, tokensOf } from "../merchant/requests.ts";
import type { CasesOf, Shop } from "./case.ts";

const INTENT = "/api/payment-intent";

/** Returns the statuses of calls without a body, each at its path. */
async function statusesAt({ sim }: Shop, paths: readonly string[]): Promise<number[]> {
  const answers = paths.map((path) => sim.fetch(path, { method: "POST" }));
  return (await Promise.all(answers)).map(({ status }) => status);
}

/** Where the operations of the service stand. */
export const casesOfPaths: CasesOf<"http.endpoints" | "auth.paths" | "subscription.session" | "checkout.url"> = {
  "http.endpoints": {
    look: async (shop) => [
      ...(await statusesAt(shop, [INTENT, "/v1/payment_intents", "/v1/payment_intents/pi_1/confirm/"])),
      (await shop.sim.openapi()).paths["/v1/payment_intents"]?.["post"]?.operationId,
    ],
    sees: [
      [{}, [401, 404, 404, undefined]],
      [
        {
          "payment-intent.create": "/v1/payment_intents",
          "payment-intent.confirm": "/v1/payment_intents/{intentId}/confirm/",
        },
        [404, 401, 401, "payment-intent.create"],
      ],
    ],
  },
  "auth.paths": {
    async look({ sim }) {
      const { clientId, clientSecret, adminKey } = sim.credentials;
      const told = async (path: string, body: object): Promise<unknown> => {
        const answer = await sim.fetch(path, postJson(body, { "x-admin-key": adminKey }));
        const { error } = (await answer.json()) as { error?: string };
        return error ?? answer.status;
      };
      const refresh = { grant_type: "refresh_token", refresh_token: "rt_fake_nobody" };
      const metadata = await sim.fetch("/.well-known/oauth-authorization-server");
      const { token_endpoint, jwks_uri } = (await metadata.json()) as Readonly<Record<string, string>>;
      return [
        await told("/oauth", { client_id: clientId, client_secret: clientSecret }),
        await told("/oauth", refresh),
        await told("/token", { client_id: clientId, client_secret: clientSecret }),
        await told("/token/refresh", { refresh_token: "rt_fake_nobody" }),
        await told("/token/refresh", { client_id: clientId, client_secret: clientSecret }),
        await told("/merchants", { name: "Second", email: "second@shop.example" }),
        await told("/v1/merchants", { name: "Second", email: "second@shop.example" }),
        token_endpoint,
        (await sim.fetch(String(jwks_uri))).status,
        jwks_uri,
      ];
    },
    sees: [
      [
        {},
        [
          200,
          "invalid_grant",
          404,
          404,
          404,
          200,
          404,
          "https://api.pay.example/oauth",
          200,
          "https://api.pay.example/.well-known/jwks.json",
        ],
      ],
      [
        { refresh: "/token/refresh" },
        [
          200,
          "unsupported_grant_type",
          404,
          "invalid_grant",
          "invalid_request",
          200,
          404,
          "https://api.pay.example/oauth",
          200,
          "https://api.pay.example/.well-known/jwks.json",
        ],
      ],
      [
        { token: "/token", refresh: "/token/refresh", registration: "/v1/merchants", keys: "/keys" },
        [
          404,
          404,
          200,
          "invalid_grant",
          "invalid_request",
          404,
          200,
          "https://api.pay.example/token",
          200,
          "https://api.pay.example/keys",
        ],
      ],
    ],
  },
  "subscription.session": {
    async look({ sim, post }) {
      const plan = ok(await post("/api/subscription/plans", planBody()));
      const { sessionToken } = ok(await post("/api/subscription/initiate", startOf(String(plan["id"]))));
      const { access } = await tokensOf(sim);
      const read = async (path: string): Promise<number> => (await callWith(access, sim, path)).status;
      return [
        await read(`/api/subscription/session/${sessionToken}`),
        await read(`/api/subscription/${sessionToken}/by-token`),
      ];
    },
    sees: [
      ["/api/subscription/session/{sessionToken}", [200, 404]],
      ["/api/subscription/{sessionToken}/by-token", [404, 200]],
    ],
  },
  "checkout.url": {
    async look({ sim, post }) {
      const { checkoutUrl, sessionToken } = ok(await post("/api/checkout", order()));
      const url = new URL(String(checkoutUrl)).pathname.replace(String(sessionToken), "…");
      const { redirectedTo = "" } = await sim.customer.pay(String(checkoutUrl), "pm_card_challenge");
      const { status } = await sim.customer.authenticate(redirectedTo);
      await sim.clock.settle();
      const id = String(ok(await post(INTENT, { amount: 100 }))["id"]);
      const creditCardDetails = cardWith("4343434343434345");
      await post(`${INTENT}/${id}/confirm`, { paymentMethod: "card", creditCardDetails });
      const [, kind] = /^\/([a-z0-9/-]+)\/[^/]+$/i.exec(new URL(redirectedTo).pathname) ?? [];
      return [url, kind, status, (await sim.fetch(`/pay/${sessionToken}`)).status];
    },
    sees: [
      [{}, ["/pay/…", "authenticate", "processing", 303]],
      [{ session: "/c/{sessionToken}/page", challenge: "/3ds/{challengeId}" }, ["/c/…/page", "3ds", "processing", 404]],
    ],
  },
};
