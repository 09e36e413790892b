import * as z from "zod/mini";
import type { CustomerMethod } from "../../simulator/customer.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { openPagesOf } from "./open-pages.ts";
import type { OpenPage } from "./open-pages.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const url = z.optional(asIs<string>({ type: "string" }));
const visit = z.object({
  status: z.string(),
  redirectedTo: z.exactOptional(z.string()),
  problem: z.exactOptional(z.string()),
});

const openPage = asIs<OpenPage>({
  ...anObject,
  required: ["kind", "path", "id", "status", "amount", "currency", "description"],
  properties: {
    kind: { type: "string", enum: ["hosted page", "challenge"] },
    path: { type: "string", description: "Below the address of the world" },
    id: { type: "string" },
    status: { type: "string" },
    amount: { type: "integer" },
    currency: { type: "string" },
    description: { type: "string" },
    externalId: { type: "string" },
    customer: { type: "string" },
    expiresAt: { type: "string", format: "date-time" },
  },
});

/** What a customer does on a page, with the field that names the page. */
const ACTS = {
  authenticate: { field: "challenge", summary: "Passes a challenge" },
  failAuthentication: { field: "challenge", summary: "Fails a challenge" },
  cancel: { field: "checkoutUrl", summary: "Cancels on the hosted page" },
  abandon: { field: "url", summary: "Closes the browser on a page" },
} as const satisfies Partial<Record<keyof Simulator["customer"], { field: string; summary: string }>>;

/** `sim.customer` */
export const customerRoutes: readonly ControlRoute[] = [
  control({
    name: "customer.pay",
    summary: "Pays on the hosted page",
    method: "POST",
    path: "/customer/pay",
    body: z.object({
      checkoutUrl: url,
      method: z.optional(
        asIs<CustomerMethod>({
          anyOf: [
            { type: "string", description: "The id of a test method, or a kind such as `gcash`" },
            { ...anObject, description: "A card in full" },
          ],
          examples: ["pm_card_approved"],
        }),
      ),
    }),
    data: visit,
    members: { "customer.pay": { takes: ["checkoutUrl", "method"] } },
    perform: ({ sim }, { body }) => sim.customer.pay(body.checkoutUrl, body.method as CustomerMethod),
  }),
  control({
    name: "customer.pages",
    summary: "Lists the pages on which a customer can act now: hosted pages of open sessions, then open challenges",
    method: "GET",
    path: "/customer/pages",
    data: z.object({ pages: z.array(openPage) }),
    perform: ({ sim }) => ({ pages: openPagesOf(sim) }),
  }),
  ...Object.entries(ACTS).map(([act, { field, summary }]) =>
    control({
      name: `customer.${act}`,
      summary,
      method: "POST",
      path: `/customer/${act.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      body: z.object({ [field]: url }),
      data: visit,
      members: { [`customer.${act}`]: { takes: [field] } },
      perform: ({ sim }, { body }) => sim.customer[act as keyof typeof ACTS](body[field]),
    }),
  ),
];
