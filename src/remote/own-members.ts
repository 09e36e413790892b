import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { conditionOf, limitReached } from "../kit/engine/clock-options.ts";
import type { PendingTimer } from "../kit/engine/pending.ts";
import type { DurationLike } from "../kit/engine/duration.ts";
import type { ControlCaller } from "./control-call.ts";
import { controlOperations } from "./operations.ts";
import type { RemoteFault, RemoteSimulator } from "./remote-simulator.ts";

/** The members of a remote simulator that take or return more than data, by name. */
export function ownMembers(
  call: ControlCaller,
  otherWorld: (name: string) => RemoteSimulator,
): Readonly<Record<string, unknown>> {
  return {
    "clock.advanceUntil": (condition: () => unknown, options?: LimitOptions) => advanceUntil(call, condition, options),
    "faults.add": async (fault: object) => addedFault(call, await call(controlOperations["faults.add"], [fault])),
    "make.event": async (...given: readonly unknown[]) => {
      const { url, ...init } = (await call(controlOperations["make.event"], given)) as { readonly url: string };
      return new Request(url, init);
    },
    async coverage(scope?: object) {
      const { coverage, table } = (await call(controlOperations.coverage, [scope])) as CoverageAnswer;
      return Object.defineProperty(coverage, "toString", { value: () => table });
    },
    async fork(options?: object) {
      const { name } = (await call(controlOperations.fork, [options])) as { readonly name: string };
      return otherWorld(name);
    },
    async report(path?: unknown) {
      if (path === undefined) return call(controlOperations.report);
      throw new CentavoError(
        "INVALID_OPTION",
        "sim.report: a remote simulator writes no file. Write the text that it returns.",
      );
    },
    async causes(error?: Error & { readonly code?: unknown }) {
      if (error === undefined) return call(controlOperations.causes, [{}]);
      const { message, stack, code } = error;
      return call(controlOperations.causes, [{ message, stack, ...(typeof code === "string" && { code }) }]);
    },
  };
}

interface LimitOptions {
  readonly limit?: DurationLike;
}

interface CoverageAnswer {
  readonly coverage: object;
  readonly table: string;
}

interface Step {
  readonly now: string;
  readonly until: string;
  readonly isOver: boolean;
}

async function advanceUntil(call: ControlCaller, condition: () => unknown, options: LimitOptions = {}): Promise<void> {
  const isMet = conditionOf(condition);
  refuseUnknownOptions("clock.advanceUntil", options, ["limit"]);
  const { limit = "1 year" } = options;
  let step: Partial<Step> = {};
  while (!(await isMet())) {
    if (step.isOver === true) {
      const pending = (await call(controlOperations["clock.pending"])) as readonly PendingTimer[];
      throw limitReached(limit, step.now ?? "", condition, pending);
    }
    const { until } = step;
    step = (await call(controlOperations["clock.advanceUntil"], [until === undefined ? { limit } : { until }])) as Step;
  }
}

/** Makes the handle of a fault that was added. */
function addedFault(call: ControlCaller, added: unknown): RemoteFault {
  const { id, handle } = added as { readonly id: string; readonly handle: string };
  return {
    id,
    get hits() {
      return call(controlOperations["#faults.hits"], [handle]) as Promise<number>;
    },
    struck: (times) => call(controlOperations["#faults.struck"], [handle, { times }]) as Promise<void>,
    remove: () => call(controlOperations["#faults.removeAdded"], [handle]) as Promise<void>,
  };
}
