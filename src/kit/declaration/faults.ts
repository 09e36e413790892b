import { clockFaults, stampSelectors } from "../faults/clock-skew.ts";
import { faultFamily } from "../faults/declaration.ts";
import type { AnsweringService } from "../http/call-faults.ts";
import { callSelectors } from "../http/call-selectors.ts";
import { callFaults } from "../http/fault-injection.ts";
import { eventSelectors } from "../webhooks/event-selectors.ts";
import type { NotifyingService } from "../webhooks/event-selectors.ts";
import { webhookFaults } from "../webhooks/fault-injection.ts";

/** What the faults of the kit have to know of a service. */
export type FaultyService = NotifyingService &
  Pick<AnsweringService, "routes" | "errorBody"> &
  Partial<AnsweringService>;

/**
 * Everything that can go wrong between any service and its merchants: calls, events, their delivery, and stamps. By default every 4xx
 * is a refusal, and a body that breaks off is an object's beginning.
 *
 * @example
 * faults: ({ routes }, eventTypes) => [
 *   ...kitFaults({ routes, eventTypes, eventFields: ["id", "type"], errorBody: (status) => ({ error: { status } }) }),
 *   faultFamily({ kinds: processorFaults, selectors: chargeSelectors }),
 * ],
 */
export function kitFaults({
  isRefusal = (status) => status >= 400 && status < 500,
  unfinishedBody = '{"id":"',
  ...service
}: FaultyService) {
  return [
    faultFamily({
      kinds: callFaults,
      selectors: callSelectors,
      service: { ...service, isRefusal, unfinishedBody },
    }),
    faultFamily({ kinds: webhookFaults, selectors: eventSelectors, service }),
    faultFamily({ kinds: clockFaults, selectors: stampSelectors }),
  ] as const;
}
