import type { Assumptions as AssumptionsOf, Used } from "../assumptions/assumptions.ts";
import type { AssumptionTable, IdOf, OverridesOf, ValueOf } from "../assumptions/entry.ts";
import { authAssumptions } from "./assumptions/auth.ts";
import { checkoutAssumptions } from "./assumptions/checkout.ts";
import { httpAssumptions } from "./assumptions/http.ts";
import { intentAssumptions } from "./assumptions/payment-intents.ts";
import { subscriptionAssumptions } from "./assumptions/subscriptions.ts";
import { transactionAssumptions } from "./assumptions/transactions.ts";
import { webhookAssumptions } from "./assumptions/webhooks.ts";

/**
 * Everything that the service document leaves open, and what Centavo answers. Each row can be changed by
 * `createSimulator({ assumptions: { "<id>": value } })` once it is known what the real service does.
 */
export const assumptionTable = {
  ...httpAssumptions,
  ...authAssumptions,
  ...intentAssumptions,
  ...checkoutAssumptions,
  ...subscriptionAssumptions,
  ...transactionAssumptions,
  ...webhookAssumptions,
} as const satisfies AssumptionTable;

type Table = typeof assumptionTable;

/** The name of an assumption, such as `checkout.lifetime`. */
export type AssumptionId = IdOf<Table>;

/** The type of an assumption's value. */
export type AssumptionValue<Id extends AssumptionId> = ValueOf<Table, Id>;

/** What a test changes of the assumptions. */
export type AssumptionOverrides = OverridesOf<Table>;

/** An assumption that a run relied on. */
export type UsedAssumption = Used<AssumptionId>;

/** The answers of one world of this service. */
export type Assumptions = AssumptionsOf<Table>;
