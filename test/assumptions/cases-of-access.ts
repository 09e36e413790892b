import { assumptionTable } from "centavo";
import type { AssumptionValue } from "centavo";
import { ok } from "../merchant/answers.ts";
import { order, planBody, postJson, startOf, tokensOf } from "../merchant/requests.ts";
import type { CasesOf, Shop } from "./case.ts";

const INTENT = "/api/payment-intent";

/** What a call is told of its problems. */
const nothing = "There is nothing at /api/nothing";
const notTaken = "/api/payment-intent does not take DELETE; it takes POST";
const tokens = "/oauth does not take DELETE; it takes POST";
const noHeader = "The header Authorization is missing";
const malformed = "The body is not valid JSON: at position 1 (line 1 column 2)";
const one = "paymentMethodId";
const both = "paymentMethodId, contact.name";

function inOrder(changed: Partial<AssumptionValue<"http.order">>): AssumptionValue<"http.order"> {
  return { ...assumptionTable["http.order"].value, ...changed };
}

/** Returns what a call is answered with these headers: its status, and the message of an error. */
async function told({ sim }: Shop, path: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await sim.fetch(path, init);
  const { message } = (await answer.json()) as { readonly message?: string };
  return message ?? answer.status;
}

function bearing(token: unknown): { readonly headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${String(token)}` } };
}

/** Which callers the service lets in, and at which paths it finds what they ask for. */
export const casesOfAccess: CasesOf<
  "http.token-messages" | "http.paths" | "http.order" | "auth.scope" | "auth.client-key"
> = {
  "http.token-messages": {
    async look(shop) {
      const { access } = await tokensOf(shop.sim);
      const missing = await told(shop, "/api/transactions");
      const unknown = await told(shop, "/api/transactions", bearing("nobody"));
      await shop.sim.clock.advance("2 hours");
      const late = await shop.sim.fetch("/api/transactions", bearing(access));
      const { message } = (await late.json()) as { readonly message?: string };
      return [missing, unknown, message, late.headers.get("www-authenticate")];
    },
    sees: [
      [
        {},
        [
          "The header Authorization is missing",
          "Invalid access token",
          "Token expired",
          'Bearer error="invalid_token", error_description="Token expired"',
        ],
      ],
      [
        { missing: "Unauthorized", expired: "The token is too old" },
        [
          "Unauthorized",
          "Invalid access token",
          "The token is too old",
          'Bearer error="invalid_token", error_description="The token is too old"',
        ],
      ],
      [
        { unknown: "No such token", expired: "Ang \u201ctoken\u201d ay \u00f1apaso" },
        [
          "The header Authorization is missing",
          "No such token",
          "Ang \u201ctoken\u201d ay \u00f1apaso",
          'Bearer error="invalid_token"',
        ],
      ],
    ],
  },
  "http.paths": {
    async look({ sim, post }) {
      const { id } = ok(await post(INTENT, { amount: 1 }));
      const { access } = await tokensOf(sim);
      const paths = [
        `${INTENT}/${id}/status`,
        `${INTENT}/${id}/status/`,
        `/API/Payment-Intent/${id}/STATUS`,
        `/Api/payment-intent/${String(id).toLowerCase()}/status`,
        "/API/TRANSACTIONS/",
        "/.well-known/JWKS.json",
        "/",
      ];
      const answers = paths.map((path) => sim.fetch(path, bearing(access)));
      return (await Promise.all(answers)).map(({ status }) => status);
    },
    sees: [
      [{ slash: "exact", case: "exact" }, [200, 404, 404, 404, 404, 404, 404]],
      [{ slash: "ignored", case: "exact" }, [200, 200, 404, 404, 404, 404, 404]],
      [{ slash: "exact", case: "ignored" }, [200, 404, 200, 404, 404, 200, 404]],
      [{ slash: "ignored", case: "ignored" }, [200, 200, 200, 404, 200, 200, 404]],
    ],
  },
  "http.order": {
    async look(shop) {
      const { sim, post } = shop;
      const { access } = await tokensOf(sim);
      const { id } = ok(await post(INTENT, { amount: 1 }));
      const { sessionToken } = ok(await post("/api/checkout", order()));
      const broken = { method: "POST", body: "{", headers: { "content-type": "application/json" } };
      const wrong = postJson({ paymentMethodId: 1, contact: { name: 1 } }, bearing(access).headers);
      const deleting = { ...bearing(access), method: "DELETE" };
      const fields = async (path: string): Promise<unknown> => {
        const { code, errors = [] } = (await (await sim.fetch(path, wrong)).json()) as {
          readonly code: string;
          readonly errors?: readonly { readonly path: string }[];
        };
        return errors.length === 0 ? code : errors.map((each) => each.path).join(", ");
      };
      return [
        await told(shop, "/api/nothing"),
        await told(shop, "/api/nothing", bearing(access)),
        await told(shop, INTENT, { method: "DELETE" }),
        await told(shop, INTENT, deleting),
        await told(shop, "/oauth", { method: "DELETE" }),
        await told(shop, INTENT, broken),
        await fields(`${INTENT}/pi_none/confirm`),
        await fields(`${INTENT}/${id}/confirm`),
        await fields("/api/checkout/process/nothing"),
        await fields(`/api/checkout/process/${sessionToken}`),
        await told(shop, "/api/subscription/sub_none/plan", { ...wrong, method: "PATCH" }),
      ];
    },
    sees: [
      [inOrder({}), [nothing, nothing, notTaken, notTaken, tokens, noHeader, both, both, one, one, "Validation error"]],
      [
        inOrder({ credential: "first" }),
        [noHeader, nothing, noHeader, notTaken, tokens, noHeader, both, both, one, one, "Validation error"],
      ],
      [
        inOrder({ body: "first" }),
        [nothing, nothing, notTaken, notTaken, tokens, malformed, both, both, one, one, "Validation error"],
      ],
      [
        inOrder({ resource: "before-fields" }),
        [
          nothing,
          nothing,
          notTaken,
          notTaken,
          tokens,
          noHeader,
          "INTENT_NOT_FOUND",
          both,
          "SESSION_NOT_FOUND",
          one,
          "The subscription does not exist",
        ],
      ],
      [
        inOrder({ fields: "first" }),
        [nothing, nothing, notTaken, notTaken, tokens, noHeader, one, one, one, one, "Validation error"],
      ],
    ],
  },
  "auth.scope": {
    async look(shop) {
      const { sim, post } = shop;
      const { sessionToken } = ok(await post("/api/checkout", order()));
      const plan = ok(await post("/api/subscription/plans", planBody()));
      const subscription = ok(await post("/api/subscription/initiate", startOf(String(plan["id"]))));
      const method = postJson({ paymentMethodId: "pm_card_approved" }, { "idempotency-key": "one" });
      const { paths } = await sim.openapi();
      return [
        await told(shop, `/api/checkout/polling/${sessionToken}`),
        await told(shop, "/api/checkout/polling/nothing"),
        await told(shop, `/api/subscription/session/${subscription["sessionToken"]}`),
        await told(shop, `/api/checkout/process/${sessionToken}`, method),
        await told(shop, `/api/checkout/process/${sessionToken}`, method),
        paths["/api/checkout/polling/{sessionToken}"]?.["get"]?.security,
      ];
    },
    sees: [
      [[], [...Array.from({ length: 5 }, () => "The header Authorization is missing"), [{ accessToken: [] }]]],
      [
        ["checkout.polling"],
        [200, "Session not found", ...Array.from({ length: 3 }, () => "The header Authorization is missing"), []],
      ],
      [
        ["checkout.polling", "checkout.process", "subscription.session"],
        [200, "Session not found", 200, 200, 200, []],
      ],
    ],
  },
  "auth.client-key": {
    async look(shop) {
      const { id, clientKey } = ok(await shop.post(INTENT, { amount: 1 }));
      const { headers } = bearing(clientKey);
      return [
        await told(shop, `${INTENT}/${id}/status`, { headers }),
        await told(shop, `${INTENT}/${id}/confirm`, postJson({ paymentMethodId: "pm_card_approved" }, headers)),
      ];
    },
    sees: [
      [
        ["payment-intent.confirm", "payment-intent.status"],
        [200, 200],
      ],
      [["payment-intent.status"], [200, "Invalid access token"]],
      [["payment-intent.confirm"], ["Invalid access token", 200]],
      [[], ["Invalid access token", "Invalid access token"]],
    ],
  },
};
