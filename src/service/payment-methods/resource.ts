import { defineResource } from "../resource.ts";
import { mint } from "./acts.ts";
import { PaymentMethods } from "./commands.ts";

/** Test methods, and cards under minted ids (2.2). Merchants name them in calls; they have no endpoint of their own. */
export const paymentMethods = defineResource<PaymentMethods>()({
  name: "payment-methods",
  lifecycles: [],
  open: ({ engine }) => new PaymentMethods(engine),
  routes: [],
  tags: {},
  acts: { mint },
  view: () => ({}),
});
