import { clockFaults, stampSelectors } from "../faults/clock-skew.ts";
import { faultFamily } from "../faults/declaration.ts";
import { callSelectors } from "../http/call-selectors.ts";
import type { RoutedService } from "../http/call-selectors.ts";
import { callFaults } from "../http/fault-injection.ts";
import { eventSelectors } from "../webhooks/event-selectors.ts";
import type { NotifyingService } from "../webhooks/event-selectors.ts";
import { webhookFaults } from "../webhooks/fault-injection.ts";

/** What the faults of the kit have to know of a service. */
export type FaultyService = NotifyingService & RoutedService;

/**
 * Everything that can go wrong between any service and its merchants: calls, events, their delivery, and stamps.
 *
 * @example
 * faults: (service, eventTypes) => [
 *   ...kitFaults({ ...service, eventTypes, eventFields: ["id", "type"] }),
 *   faultFamily({ kinds: processorFaults, selectors: chargeSelectors }),
 * ],
 */
export function kitFaults(service: FaultyService) {
  return [
    faultFamily({ kinds: callFaults, selectors: callSelectors, service }),
    faultFamily({ kinds: webhookFaults, selectors: eventSelectors, service }),
    faultFamily({ kinds: clockFaults, selectors: stampSelectors }),
  ] as const;
}
