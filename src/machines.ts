/**
 * The lifecycles as XState machines, for diagrams and model-based tests. They have no clock and no side effects: timers and facts are
 * actions that Centavo interprets. With `exactOptionalPropertyTypes` set `skipLibCheck` too: XState's own declarations have errors there.
 *
 * @example
 * import { paymentIntentMachine } from "centavo/machines";
 * Object.keys(paymentIntentMachine.states); // requires_payment_method, requires_confirmation, …
 */
export { checkoutMachine } from "./service/checkout/machine.ts";
export { paymentIntentMachine } from "./service/payment-intents/machine.ts";
export { invoiceMachine } from "./service/subscriptions/invoice-machine.ts";
export { subscriptionMachine } from "./service/subscriptions/machine.ts";
