import { z } from "zod";
import type { Dispatcher } from "../http/dispatcher.ts";
import type { Engine } from "../engine/engine.ts";
import type { Faults } from "../faults/faults.ts";
import type { AnyFault } from "../faults/declaration.ts";
import type { Outbox } from "../webhooks/outbox.ts";

/** What the acts of every service work on. */
export interface KitParts {
  readonly engine: Engine;
  readonly dispatcher: Dispatcher;
  readonly faults: Faults;
  readonly outbox: Outbox;
}

/**
 * Something that a test does in the world's place. It is declared here alone: the simulator performs it, a recording holds it, and a
 * replay performs it again.
 */
export interface Act<Parts, Schema extends z.ZodObject, Result> {
  /** What a recording holds of it, beside its kind and place. */
  readonly schema: Schema;
  /** Checks what the test gave and returns what to record and perform; left out where the types say it all. */
  readonly read?: (parts: Parts, given: z.output<Schema>) => z.output<Schema>;
  /** Does it. One that throws has not happened, and is not recorded. */
  readonly perform: (parts: Parts, details: z.output<Schema>) => Result;
}

/** Acts on these parts, by the kind under which a recording knows them. */
export type ActTable<Parts> = Readonly<
  Record<
    string,
    {
      readonly schema: z.ZodObject;
      readonly read?: (parts: Parts, given: never) => object;
      readonly perform: (parts: Parts, details: never) => unknown;
    }
  >
>;

/** Performs an act of a table, and records it. */
export type Perform<Table extends ActTable<never>> = <Kind extends keyof Table & string>(
  kind: Kind,
  given: z.output<Table[Kind]["schema"]>,
) => ReturnType<Table[Kind]["perform"]>;

/** Declares an act; a function only so that `perform` knows the types of `schema`. */
export function act<Parts, Schema extends z.ZodObject, Result>(
  declared: Act<Parts, Schema, Result>,
): Act<Parts, Schema, Result> {
  return declared;
}

export function performerOf<Parts extends { readonly engine: Engine }, Table extends ActTable<Parts>>(
  parts: Parts,
  table: Table,
): Perform<Table> {
  return (kind, given) => {
    const { read, perform } = table[kind] as Table[typeof kind];
    const details = read?.(parts, given as never) ?? given;
    const result = perform(parts, details as never);
    parts.engine.inputs?.add(kind, details);
    return result as ReturnType<Table[typeof kind]["perform"]>;
  };
}

/** The acts of a test on any service. */
export const kitActs = {
  /** `sim.webhooks.redeliver` */
  redeliver: act({
    schema: z.strictObject({ event: z.string() }),
    perform: ({ outbox }: KitParts, { event }) => outbox.redeliver(event),
  }),
  /** `sim.faults.add` */
  "fault.add": act({
    schema: z.strictObject({ fault: z.record(z.string(), z.unknown()) }),
    read: ({ faults }: KitParts, { fault }) => ({ fault: faults.read(fault) }),
    perform: ({ faults }: KitParts, { fault }) => faults.add(fault as AnyFault),
  }),
  /** `sim.faults.remove`, and `remove` of an added fault */
  "fault.remove": act({
    schema: z.strictObject({ fault: z.string() }),
    perform: ({ faults }: KitParts, { fault }) => faults.remove(fault),
  }),
  /** `sim.faults.clear` */
  "fault.clear": act({ schema: z.strictObject({}), perform: ({ faults }: KitParts) => faults.clear() }),
  /** `sim.close` while calls were held back */
  "broke-off": act({ schema: z.strictObject({}), perform: ({ dispatcher }: KitParts) => dispatcher.breakOff() }),
};
