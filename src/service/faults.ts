import { clockFaults, stampSelectors } from "../kit/faults/clock-skew.ts";
import { faultFamily } from "../kit/faults/declaration.ts";
import { callSelectors } from "../kit/http/call-selectors.ts";
import type { RoutedService } from "../kit/http/call-selectors.ts";
import { callFaults } from "../kit/http/fault-injection.ts";
import { callSelectors as callsByMethod } from "./payment-methods/faults.ts";
import { eventSelectors } from "../kit/webhooks/event-selectors.ts";
import { webhookFaults } from "../kit/webhooks/fault-injection.ts";

/**
 * Every kind of fault of calls, events and stamps. Resources declare the others.
 * @param service the routes and the errors that a fault may name
 * @param eventTypes the types of event that a fault may name
 */
export function faultFamilies(service: RoutedService, eventTypes: readonly string[]) {
  return [
    faultFamily({
      kinds: callFaults,
      selectors: { ...callSelectors, ...callsByMethod },
      service,
    }),
    faultFamily({
      kinds: webhookFaults,
      selectors: eventSelectors,
      service: { eventTypes, eventFields: ["id", "type", "createdAt", "data"] },
    }),
    faultFamily({ kinds: clockFaults, selectors: stampSelectors }),
  ] as const;
}
