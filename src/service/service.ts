import { defineService } from "../kit/declaration/define-service.ts";
import type { AnyResource } from "../kit/declaration/resource.ts";
import { assumptionTable } from "./assumption-table.ts";
import type { AssumptionId } from "./assumption-table.ts";
import { readCredentials } from "./auth/credentials.ts";
import { auth } from "./auth/resource.ts";
import { checkout } from "./checkout/resource.ts";
import { faultFamilies } from "./faults.ts";
import { httpPolicies } from "./http.ts";
import { codeOfProblem } from "./envelope.ts";
import { errorTable } from "./error-table.ts";
import { paymentIntents } from "./payment-intents/resource.ts";
import { paymentMethods } from "./payment-methods/resource.ts";
import { rerouting } from "./rerouting.ts";
import type { PaymentTerms } from "./resource.ts";
import { secrets } from "./secrets.ts";
import { eventOrder } from "./subscriptions/event-order.ts";
import { subscriptions } from "./subscriptions/resource.ts";
import { transactions } from "./transactions/resource.ts";
import { webhookPolicies } from "./webhook-policies.ts";

/**
 * The resources of the service. Their order decides the order of reactions.
 *
 * Resources react to a fact in the order of this list. A fact of an intent first moves the checkout session that embeds the intent, then
 * the invoice and subscription that it pays. Transactions react after these, so that they show the result. The event to the merchant comes
 * last. Facts that a reaction publishes wait until all have reacted to the first.
 */
const resources = [paymentMethods, paymentIntents, checkout, subscriptions, transactions, auth] as const;

/** Returns the assumptions that the events of a type rest on. */
function assumptionsOf(type: string): readonly AssumptionId[] {
  const declared: readonly AnyResource<PaymentTerms>[] = resources;
  return declared.find(({ events }) => events?.announced.includes(type))?.events?.assumes ?? [];
}

/** The payment service of the document. */
export const paymentService = defineService<PaymentTerms, typeof resources>({
  name: "payment-service",
  resources,
  assumptions: assumptionTable,
  secrets,
  faults: faultFamilies,
  errors: { table: errorTable, ofProblem: codeOfProblem },
  http: ({ assumptions }, of) => httpPolicies(assumptions, of(auth).authenticate),
  webhooks({ assumptions }, of) {
    const { merchants } = of(auth);
    return webhookPolicies(assumptions, assumptionsOf, (merchantId) => merchants.get(merchantId)?.webhookSecret ?? "");
  },
  rerouting,
  reordering: ({ assumptions }) => eventOrder(assumptions),
  receiverOf: (merchantId, of) => of(auth).merchants.get(merchantId)?.webhookUrl,
  begin(of, { webhookUrl, credentials }) {
    const { merchants } = of(auth);
    const { adminKey, ...given } = readCredentials(credentials);
    const merchant = { name: "Test merchant", email: "merchant@shop.example" };
    of(auth).begin(adminKey);
    merchants.register(webhookUrl === undefined ? merchant : { ...merchant, webhookUrl }, given);
  },
});
