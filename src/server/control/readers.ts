import * as z from "zod/mini";
import { NO_RESULT } from "../../client/control-api.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { unknownName } from "../../kit/base/errors/known-names.ts";
import type { Reader } from "../../kit/declaration/reader.ts";
import { kinds } from "../../fixtures/kinds.ts";
import { readersOf } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { ControlProblem } from "./problem.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

type AnyReader = Reader<object, { readonly status: readonly string[] }>;

/** A reader of a simulator that a client names. */
interface NamedReader extends AnyReader {
  /** @throws {CentavoError} `NOT_FOUND` */
  readonly existing: (id: string) => object;
}

/**
 * Returns the reader of this name.
 * @param call the call that names it, for the message
 * @throws {CentavoError} `INVALID_OPTION` for an unknown name, with the nearest right one
 */
export function readerNamed(sim: Simulator, call: string, name: string): NamedReader {
  const complaint = unknownName("the resource", name, readerNames(sim));
  if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `${call}: ${complaint}.`);
  const reader = sim[name as keyof Simulator] as unknown as AnyReader;
  return {
    ...reader,
    existing(id) {
      const view = reader.get(id);
      if (view !== undefined) return view;
      throw new CentavoError("NOT_FOUND", `${call}: there is no ${JSON.stringify(id)} in ${name}.`);
    },
  };
}

/** The names of the readers that a simulator has. */
export function readerNames({ internals }: Simulator): readonly string[] {
  return Object.keys(readersOf(internals.parts));
}

/** `sim.intents`, `sim.subscriptions` and the other readers, with what only one of them has. */
export function readerRoutes(names: readonly string[]): readonly ControlRoute[] {
  return [...names.flatMap(routesOf), cancelIntent];
}

const params = z.object({ id: z.string() });

function routesOf(name: string): readonly ControlRoute[] {
  const statuses = Object.hasOwn(kinds, name) ? (kinds[name as keyof typeof kinds].statuses ?? []) : [];
  const view = asIs<object>({
    ...anObject,
    required: ["id"],
    properties: { id: { type: "string" }, ...(statuses.length > 0 && { status: { type: "string", enum: statuses } }) },
  });
  const query = statuses.length === 0 ? z.object({}) : z.object({ status: z.exactOptional(z.string()) });
  const of = (sim: Simulator): NamedReader => readerNamed(sim, name, name);
  return [
    control({
      name: `${name}.list`,
      summary: `Lists the ${name}, oldest first. A \`status\` may have \`*\` for any text`,
      method: "GET",
      path: `/${name}`,
      query,
      data: z.object({ [name]: z.array(view) }),
      members: { [`${name}.list`]: { gives: name } },
      perform: ({ sim }, call) => ({ [name]: of(sim).list(call.query) }),
    }),
    control({
      name: `${name}.last`,
      summary: `Returns the newest of the ${name}, or the newest that matches`,
      method: "GET",
      path: `/${name}/last`,
      query,
      data: view,
      members: { [`${name}.last`]: {} },
      perform: ({ sim }, call) => found(of(sim).last(call.query), `None of the ${name} matches.`),
    }),
    control({
      name: `${name}.get`,
      summary: `Returns one of the ${name}`,
      method: "GET",
      path: `/${name}/{id}`,
      params,
      data: view,
      members: { [`${name}.get`]: { takes: ["id"] } },
      perform: ({ sim }, call) =>
        found(of(sim).get(call.params.id), `There is no ${JSON.stringify(call.params.id)} in ${name}.`),
    }),
  ];
}

/** @throws {ControlProblem} 404 for what the member of a simulator returns undefined for */
export function found<Found>(result: Found | undefined, message: string): Found {
  if (result === undefined) throw new ControlProblem(404, NO_RESULT, message);
  return result;
}

const cancelIntent = control({
  name: "intents.cancel",
  summary: "Cancels a payment intent, as the back office of the service does",
  method: "POST",
  path: "/intents/{id}/cancel",
  params,
  data: asIs<object>(anObject),
  members: { "intents.cancel": { takes: ["id"] } },
  perform: ({ sim }, call) => sim.intents.cancel(call.params.id),
});
