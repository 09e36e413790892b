import type { AnyFault } from "../kit/faults/declaration.ts";
import type { Faults, FaultsControl } from "../kit/faults/faults.ts";
import type { AddedFault, FaultHandle } from "../kit/faults/handles.ts";
import type { FaultState } from "../kit/faults/plan.ts";
import type { kitActs, Perform } from "./acts.ts";

/** Makes `sim.faults`, which performs acts to plan and remove faults, also through the handle of an added fault. */
export function faultsControlOf<Fault extends AnyFault>(
  faults: Faults,
  perform: Perform<typeof kitActs>,
): FaultsControl<Fault> {
  return {
    add: (fault) => addedFault(perform("fault.add", { fault }), perform),
    remove: (id) => perform("fault.remove", { fault: id }),
    list: () => structuredClone(faults.list()) as FaultState<Fault>[],
    unused: () => structuredClone(faults.unused()) as FaultState<Fault>[],
    clear: () => perform("fault.clear", {}),
  };
}

function addedFault(handle: FaultHandle, perform: Perform<typeof kitActs>): AddedFault {
  const { id } = handle;
  return {
    id,
    get hits() {
      return handle.hits;
    },
    struck: (times) => handle.struck(times),
    remove: () => {
      if (handle.isPlanned()) perform("fault.remove", { fault: id });
    },
  };
}
