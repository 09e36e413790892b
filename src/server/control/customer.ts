import * as z from "zod/mini";
import type { CustomerMethod } from "../../simulator/customer.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const url = z.optional(asIs<string>({ type: "string" }));
const visit = z.object({
  status: z.string(),
  redirectedTo: z.exactOptional(z.string()),
  problem: z.exactOptional(z.string()),
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
