import * as z from "zod/mini";
import { once } from "../../kit/base/runtime/once.ts";
import { allKinds, kinds } from "../../fixtures/kinds.ts";
import type { Fixtures } from "../../fixtures/fixtures.ts";
import type { EventType } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

/** Plain data, with what it is called in a summary. */
const DATA = {
  contact: "a customer in the Philippines",
  address: "an address in the Philippines",
  order: "an order whose items add up to its amount",
  card: "a card that is approved",
} as const;

const made = new WeakMap<Simulator, Promise<Fixtures>>();

/** Loads the fixtures when a client first asks for one, because they bring the data of a shop with them. */
const library = once(() => import("../../fixtures/fixtures.ts"));

async function fixturesOf(sim: Simulator): Promise<Readonly<Record<string, (options?: unknown) => unknown>>> {
  const its = made.get(sim) ?? library().then(({ fixtures }) => fixtures(sim));
  made.set(sim, its);
  return (await its) as never;
}

/** Makes something by the function of this name. */
async function make(sim: Simulator, name: string, options: unknown): Promise<object> {
  return (await (await fixturesOf(sim))[name]?.(options)) as object;
}

/** `fixtures(sim)` of `centavo/fixtures` */
export const fixtureRoutes: readonly ControlRoute[] = [
  ...allKinds.map(({ make: name, statuses, declined, fields }) =>
    fixture(name, `Makes one: ${name}`, {
      ...(statuses && { status: { type: "string", enum: statuses } }),
      ...(declined && { decline: { type: "string" } }),
      ...Object.fromEntries(fields.map((field) => [field, {}])),
    }),
  ),
  ...Object.entries(DATA).map(([name, what]) => fixture(name, `Returns ${what}`)),
  fixture("transactions", "Lets months pass while customers pay, and returns their transactions", {
    months: { type: "integer", minimum: 1 },
    perDay: { type: "integer", minimum: 0 },
    declined: { type: "number", minimum: 0, maximum: 1 },
  }),
  fixture(
    "world",
    "Makes several resources that all have their statuses at one moment",
    Object.fromEntries(Object.keys(kinds).map((name) => [name, { type: "array", items: anObject }])),
  ),
  control({
    name: "make.event",
    summary: "Returns a signed delivery of an event of this type, from a payment that really happened",
    method: "POST",
    path: "/fixtures/event",
    body: z.object({ type: asIs<EventType>({ type: "string" }), options: z.exactOptional(asIs<object>(anObject)) }),
    data: z.object({
      url: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
    members: { "make.event": { takes: ["type", "options"] } },
    perform: async ({ sim }, { body: { type, options } }) => {
      const { event } = (await fixturesOf(sim)) as unknown as Fixtures;
      const request = await event(type, options as never);
      const { url, method, headers } = request;
      return { url, method, headers: Object.fromEntries(headers), body: await request.text() };
    },
  }),
];

function fixture(name: string, summary: string, properties: Readonly<Record<string, unknown>> = {}): ControlRoute {
  return control({
    name: `make.${name}`,
    summary,
    method: "POST",
    path: `/fixtures/${name}`,
    body: asIs<object>({ ...anObject, properties }),
    data: asIs<object>(name === "transactions" ? { type: "array", items: anObject } : anObject),
    members: { [`make.${name}`]: {} },
    perform: ({ sim }, { body }) => make(sim, name, body),
  });
}
