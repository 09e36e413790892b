import type { Cause } from "./cause.ts";
import { counted, quoted } from "./wording.ts";

/** Reasons why planned faults have no effect, and failures of the simulator itself. */
export const faultCauses: readonly Cause[] = [
  {
    name: "impossible-fault",
    looksAt: "whether the test's error is `INVALID_FAULT`",
    explanation:
      "A fault that could never fire is refused when it is planned: its kind, route, event type or field does not exist, or two of its fields contradict each other. The message names the field and the nearest name.",
    find: ({ thrown }) => {
      if (thrown?.codes.includes("INVALID_FAULT") !== true) return undefined;
      return {
        sentence: "a fault was planned that could never fire, and the test's error says why",
        wayOut: "correct the field that the message names",
        weight: "explains",
      };
    },
  },
  {
    name: "unused-fault",
    looksAt: "planned faults that never fired",
    explanation:
      "The test plans a fault, and nothing that happened was an occasion for it: it selects another route, event or resource, it was planned too late, or its `after`, `nth`, `from` and `until` leave no occasion. `sim.faults.unused()` lists such faults.",
    find: ({ unusedFaults, thrown }) => {
      const [first] = unusedFaults;
      if (first === undefined) return undefined;
      const { id, fault, occasions } = first;
      const why =
        occasions === 0
          ? "nothing matched it"
          : `it had ${counted(occasions, "occasion")} and its limits ruled all of them out`;
      const others =
        unusedFaults.length === 1 ? "" : `, and ${counted(unusedFaults.length - 1, "other fault")} never fired either`;
      return {
        sentence: `the fault ${quoted(id)} (${fault.kind}) never fired: ${why}${others}`,
        wayOut: "correct what it selects, or plan it before the call that it is meant for",
        weight: thrown?.codes.includes("UNUSED_FAULT") === true ? "explains" : "likely",
      };
    },
  },
  {
    name: "simulator-failed",
    looksAt: "failures of the simulator that the journal noted",
    explanation:
      "A timer, a listener of the clock or the service itself failed. If the message names no code of yours, it is a defect of Centavo: please report it with the recording.",
    find: ({ of }) => {
      const failure = of("failure")[0]?.details.message;
      if (failure === undefined) return undefined;
      return {
        sentence: `something failed inside the simulator: ${quoted(failure)}`,
        wayOut: "if no code of yours threw this, report it with the recording",
        weight: "certain",
      };
    },
  },
];
