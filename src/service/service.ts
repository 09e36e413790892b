import { defineService } from "../declaration/service.ts";
import { assumptionTable } from "./assumption-table.ts";
import { auth } from "./auth/resource.ts";
import { checkout } from "./checkout/resource.ts";
import { faultFamilies } from "./faults.ts";
import { httpPolicies } from "./http.ts";
import { description } from "./openapi.ts";
import { paymentIntents } from "./payment-intents/resource.ts";
import { paymentMethods } from "./payment-methods/resource.ts";
import type { PaymentTerms } from "./resource.ts";
import { subscriptions } from "./subscriptions/resource.ts";
import { transactions } from "./transactions/resource.ts";
import { webhookPolicies } from "./webhook-policies.ts";

/**
 * The resources of the service.
 *
 * Each fact is answered in the order of this list. What happens to an intent first moves the checkout session that embeds it,
 * then the invoice and subscription that it pays. Only then do transactions follow, so that they show what came of it, and the
 * merchant is told last of all. Facts that follow from an answer wait until the first is told.
 */
const resources = [paymentMethods, paymentIntents, checkout, subscriptions, transactions, auth] as const;

/** The payment service of the document. */
export const paymentService = defineService<PaymentTerms, typeof resources>({
  resources,
  assumptions: assumptionTable,
  faults: faultFamilies,
  description,
  http: ({ assumptions }, of) => httpPolicies(assumptions, of(auth).authenticate),
  webhooks({ assumptions }, of) {
    const { merchants } = of(auth);
    return webhookPolicies(assumptions, (merchantId) => merchants.get(merchantId)?.webhookSecret ?? "");
  },
  receiverOf: (merchantId, of) => of(auth).merchants.get(merchantId)?.webhookUrl,
  begin(of, { webhookUrl }) {
    const { merchants } = of(auth);
    const merchant = { name: "Test merchant", email: "merchant@shop.example" };
    of(auth).begin();
    merchants.register(webhookUrl === undefined ? merchant : { ...merchant, webhookUrl });
  },
});
