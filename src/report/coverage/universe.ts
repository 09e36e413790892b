import { paymentService } from "../../service/service.ts";
import { testMethods } from "../../service/test-methods.ts";
import { Customer } from "../../simulator/customer.ts";
import { customerAct, moveWithInput, ofResource, timeRulesBesideTimers } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { machines } from "./machines.ts";

/** Everything that a suite can go through, as the service's machines, events, errors, faults and test methods declare it. */
export const universe: Readonly<Record<Part, readonly string[]>> = {
  states: machines.flatMap(({ name, states }) => states.map((state) => ofResource(name, state))),
  moves: machines.flatMap(({ moves }) => moves.map(moveWithInput)),
  events: paymentService.eventTypes,
  errors: Object.keys(paymentService.errors.table),
  faults: paymentService.knownFaults.kinds.map(({ kind }) => kind),
  outcomes: [
    ...Object.getOwnPropertyNames(Customer.prototype)
      .filter((name) => name !== "constructor")
      .map(customerAct),
    ...testMethods.map(({ id }) => id),
  ],
  timeRules: [
    ...machines.flatMap(({ name, whenDue }) => Object.keys(whenDue).map((input) => ofResource(name, input))),
    ...Object.keys(timeRulesBesideTimers),
  ],
};
