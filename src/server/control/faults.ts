import * as z from "zod/mini";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { keepNewest } from "../../kit/engine/newest.ts";
import type { AddedFault } from "../../kit/faults/handles.ts";
import { paymentService } from "../../service/service.ts";
import type { Fault, FaultState } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { found } from "./readers.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const fault = asIs<Fault>({
  ...anObject,
  required: ["kind"],
  properties: { kind: { type: "string", enum: paymentService.knownFaults.kinds.map(({ kind }) => kind) } },
});
const state = asIs<FaultState>({
  ...anObject,
  required: ["id", "fault", "occasions", "hits"],
  properties: {
    id: { type: "string" },
    fault: anObject,
    occasions: { type: "integer" },
    hits: { type: "integer" },
  },
});
const faults = z.object({ faults: z.array(state) });
const withId = z.object({ id: z.string() });
const withHandle = z.object({ handle: z.string() });
const added = z.object({ id: z.string(), handle: z.string(), hits: z.int() });

/** How many handles a world keeps. */
const MOST_HANDLES = 1000;

/** The handles of the faults that clients have added, by number: another fault may get the id later. */
const handles = new WeakMap<Simulator, { count: number; readonly kept: Map<string, AddedFault> }>();

/** `sim.faults` */
export const faultRoutes: readonly ControlRoute[] = [
  control({
    name: "faults.add",
    summary: "Plans a fault from now on",
    method: "POST",
    path: "/faults",
    body: fault,
    data: added,
    creates: true,
    members: { "faults.add": {} },
    perform: ({ sim }, { body }) => {
      const handle = sim.faults.add(body);
      const its = handles.get(sim) ?? { count: 0, kept: new Map<string, AddedFault>() };
      handles.set(sim, its);
      its.count += 1;
      its.kept.set(String(its.count), handle);
      keepNewest(its.kept, MOST_HANDLES);
      return { id: handle.id, handle: String(its.count), hits: handle.hits };
    },
  }),
  control({
    name: "faults.list",
    summary: "Lists the planned faults, in the order in which they were added",
    method: "GET",
    path: "/faults",
    data: faults,
    members: { "faults.list": { gives: "faults" } },
    perform: ({ sim }) => ({ faults: sim.faults.list() }),
  }),
  control({
    name: "faults.unused",
    summary: "Lists the planned faults that have not fired",
    method: "GET",
    path: "/faults/unused",
    data: faults,
    members: { "faults.unused": { gives: "faults" } },
    perform: ({ sim }) => ({ faults: sim.faults.unused() }),
  }),
  control({
    name: "faults.get",
    summary: "Returns a planned fault",
    method: "GET",
    path: "/faults/{id}",
    params: withId,
    data: state,
    perform: ({ sim }, { params: { id } }) =>
      found(
        sim.faults.list().find((planned) => planned.id === id),
        `No fault with the id ${JSON.stringify(id)} is planned.`,
      ),
  }),
  control({
    name: "faults.remove",
    summary: "Removes a fault; what it has already done stays",
    method: "DELETE",
    path: "/faults/{id}",
    params: withId,
    members: { "faults.remove": { takes: ["id"] } },
    perform: ({ sim }, { params: { id } }) => sim.faults.remove(id),
  }),
  control({
    name: "faults.clear",
    summary: "Removes every fault",
    method: "DELETE",
    path: "/faults",
    members: { "faults.clear": {} },
    perform: ({ sim }) => sim.faults.clear(),
  }),
  control({
    name: "faults.added",
    summary: "Returns how often a fault that was added has fired, also after its end",
    method: "GET",
    path: "/faults/added/{handle}",
    params: withHandle,
    data: added,
    members: { "#faults.hits": { takes: ["handle"], gives: "hits" } },
    perform: ({ sim }, { params: { handle } }) => {
      const { id, hits } = handleOf(sim, handle);
      return { id, handle, hits };
    },
  }),
  control({
    name: "faults.struck",
    summary: "Answers once a fault that was added has fired",
    method: "POST",
    path: "/faults/added/{handle}/struck",
    whenFull: true,
    params: withHandle,
    body: z.object({ times: z.exactOptional(asIs<number>({ type: "integer", minimum: 1 })) }),
    members: { "#faults.struck": { takes: ["handle"] } },
    perform: ({ sim }, { params: { handle }, body: { times } }) => handleOf(sim, handle).struck(times),
  }),
  control({
    name: "faults.removeAdded",
    summary: "Removes a fault that was added, if it is still planned",
    method: "DELETE",
    path: "/faults/added/{handle}",
    params: withHandle,
    members: { "#faults.removeAdded": { takes: ["handle"] } },
    perform: ({ sim }, { params: { handle } }) => handleOf(sim, handle).remove(),
  }),
];

function handleOf(sim: Simulator, handle: string): AddedFault {
  const kept = handles.get(sim)?.kept.get(handle);
  if (kept !== undefined) return kept;
  throw new CentavoError(
    "NOT_FOUND",
    `This world has no handle ${JSON.stringify(handle)} of a fault. It keeps those of the ${MOST_HANDLES} faults that were added last; sim.faults.list() has every planned fault.`,
  );
}
