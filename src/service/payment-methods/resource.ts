import { faultFamily } from "../../kit/faults/declaration.ts";
import { defineResource } from "../resource.ts";
import { mint } from "./acts.ts";
import { PaymentMethods } from "./commands.ts";
import { chargeSelectors, processorFaults } from "./faults.ts";

/** Test methods, and cards with minted ids (2.2). They have no endpoints; calls name them by id. */
export const paymentMethods = defineResource<PaymentMethods>()({
  name: "payment-methods",
  open: ({ engine }) => new PaymentMethods(engine),
  routes: [],
  faults: [faultFamily({ kinds: processorFaults, selectors: chargeSelectors })],
  acts: { mint },
});
