import type { Assumptions as AssumptionsOf, Used } from "../kit/assumptions/assumptions.ts";
import type { AssumptionTable, ChangeableIdOf, IdOf, OverridesOf, ValueOf } from "../kit/assumptions/entry.ts";
import { authAssumptions } from "./assumptions/auth.ts";
import { checkoutAssumptions } from "./assumptions/checkout.ts";
import { httpAssumptions } from "./assumptions/http.ts";
import { intentAssumptions } from "./assumptions/payment-intents.ts";
import { subscriptionAssumptions } from "./assumptions/subscriptions.ts";
import { transactionAssumptions } from "./assumptions/transactions.ts";
import { webhookAssumptions } from "./assumptions/webhooks.ts";

/**
 * Every question that the service document leaves open, with Centavo's answer. `values` is the schema of the values that a row takes; change
 * it with `createSimulator({ assumptions: { "<id>": value } })`. Where `values` is `"fixed"`, the answer cannot be changed.
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

/** The name of an assumption whose answer can be changed; the others are fixed. */
export type ChangeableAssumptionId = ChangeableIdOf<Table>;

/** The type of an assumption's value. */
export type AssumptionValue<Id extends ChangeableAssumptionId> = ValueOf<Table, Id>;

/** The values that a test sets for assumptions. */
export type AssumptionOverrides = OverridesOf<Table>;

/** An assumption that a run relied on. */
export type UsedAssumption = Used<AssumptionId>;

/** The assumptions of one world of this service. */
export type Assumptions = AssumptionsOf<Table>;
