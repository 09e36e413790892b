import * as z from "zod/mini";
import { choice, fixed } from "../../kit/assumptions/entry.ts";
import type { AssumptionTable } from "../../kit/assumptions/entry.ts";
import { checkoutSession, polledCheckout, processedCheckout } from "../schemas/checkout.ts";
import { bodiesOf } from "../wire/route-bodies.ts";
import { queryOf } from "../wire/return-query.ts";
import { duration } from "./duration.ts";
import { pathsInsteadOf } from "./path.ts";
import { pagePaths } from "../wire/paths.ts";
import { otherBodies } from "./other-bodies.ts";

const bodies = {
  "checkout.session": checkoutSession,
  "checkout.process": processedCheckout,
  "checkout.polling": polledCheckout,
};

/** Checkout sessions and return URLs (4.2). */
export const checkoutAssumptions = {
  "checkout.moves": choice(
    "Transitions of a checkout session",
    "`pending` → `processing` → `completed` or `failed`; `cancelled` by the customer; `expired` by the clock. With `hide-processing`, answers, events, pages' return addresses and transactions say `pending` until the payment has ended, and there is no `checkout.processing`",
    z.enum(["show-processing", "hide-processing"]),
    "show-processing",
  ),
  "checkout.retry": choice(
    "Whether the customer can try another card",
    "No: `failed` is final; n allows n further tries",
    z.int().check(z.minimum(0), z.maximum(10)),
    0,
    { alternatives: [2] },
  ),
  "checkout.lifetime": choice("Lifetime of a session", "24 hours", duration, "24 hours", {
    alternatives: ["30 minutes", "7 days"],
  }),
  "checkout.expired-token": choice(
    "When the token of a session that has ended is `Session not found`",
    "Process answers 404 for an expired and for a cancelled session; reads answer the session with its status. With `not-found`, polling and the administrator's read answer 404 for an expired session too; the transactions API still shows it",
    z.enum(["show", "not-found"]),
    "show",
  ),
  "checkout.bodies": choice(
    "Bodies of session, process and polling",
    "See the schemas in the OpenAPI document; templates by route shape them otherwise",
    bodiesOf(bodies),
    {},
    { alternatives: otherBodies(bodies) },
  ),
  "checkout.url": choice(
    "Paths of the customer's pages",
    "The hosted page is `{base_url}/pay/{sessionToken}`, challenge and wallet pages are `{base_url}/authenticate/{challengeId}`",
    pathsInsteadOf(pagePaths),
    {},
    { alternatives: { "`/pay`": { session: "/checkout/{sessionToken}" } } },
  ),
  "checkout.return": choice(
    "Query added to the return URL",
    "`sessionToken`, `externalId`, `status`, appended to `returnUrl`. An object by parameter has others, as texts with these in braces",
    queryOf(["sessionToken", "externalId", "status"]),
    { sessionToken: "{sessionToken}", externalId: "{externalId}", status: "{status}" },
    { alternatives: [{}, { session_id: "{sessionToken}" }] },
  ),
  "checkout.third-party": fixed(
    "What `isThirdParty` changes",
    "Nothing; it is kept and shown",
    "The document names no effect, so no exchange can be put down to it.",
  ),
  "checkout.payment": fixed(
    "How a session is paid",
    "By an embedded payment intent, whose id is never shown and which sends no events",
    "What pays a session inside the service never shows in an exchange.",
  ),
  "return.schemes": choice(
    "Which schemes a `returnUrl` can have besides http and https",
    "None; an app's own scheme such as `myshop` can be added",
    z.array(z.string().check(z.regex(/^[a-z][a-z0-9+.-]*$/))),
    [],
    { alternatives: [["myshop"]] },
  ),
} as const satisfies AssumptionTable;
