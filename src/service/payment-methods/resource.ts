import { defineResource } from "../resource.ts";
import { mint } from "./acts.ts";
import { PaymentMethods } from "./commands.ts";

/** Test methods, and cards with minted ids (2.2). They have no endpoints; calls name them by id. */
export const paymentMethods = defineResource<PaymentMethods>()({
  name: "payment-methods",
  open: ({ engine }) => new PaymentMethods(engine),
  routes: [],
  acts: { mint },
});
