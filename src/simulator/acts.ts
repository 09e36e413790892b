import * as z from "zod/mini";
import { anyText } from "../kit/engine/row-schema.ts";
import { act, actsIn } from "../kit/declaration/act.ts";
import type { ActsIn, ActTable, WithActs } from "../kit/declaration/act.ts";
import type { Dispatcher } from "../kit/http/dispatcher.ts";
import type { CustomerCookies } from "./customer-cookies.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { Faults } from "../kit/faults/faults.ts";
import type { AnyFault } from "../kit/faults/declaration.ts";
import type { Outbox } from "../kit/webhooks/outbox.ts";

/** The parts of a world that the acts of every service use. */
export interface KitParts {
  readonly engine: Engine;
  readonly dispatcher: Dispatcher;
  readonly faults: Faults;
  readonly outbox: Outbox;
  readonly cookies: CustomerCookies;
}

/** Performs an act of a table, and records it. */
export type Perform<Table extends ActTable<never>> = <Kind extends keyof Table & string>(
  kind: Kind,
  given: z.output<Table[Kind]["schema"]>,
) => ReturnType<Table[Kind]["perform"]>;

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

/** Performs acts for the test: an act first rejects with what failed since the test's last call, when none awaited the clock. */
export function testPerformerOf<Parts extends { readonly engine: Engine }, Table extends ActTable<Parts>>(
  parts: Parts,
  table: Table,
): Perform<Table> {
  const perform = performerOf(parts, table);
  return (kind, given) => {
    parts.engine.runningClock.catchUp();
    parts.engine.unawaited.throwBefore(`The act "${kind}"`);
    return perform(kind, given);
  };
}

/** What ends the calls of a simulator that is closed. */
export const CLOSED = "sim.close()";

/** The acts of a test on any service. */
export const kitActs = {
  /** `sim.webhooks.redeliver` */
  redeliver: act({
    schema: z.strictObject({ event: anyText }),
    perform: ({ outbox }: KitParts, { event }) => outbox.redeliver(event),
  }),
  /** `sim.faults.add` */
  "fault.add": act({
    schema: z.strictObject({ fault: z.record(anyText, z.unknown()) }),
    read: ({ faults }: KitParts, { fault }) => ({ fault: faults.read(fault) }),
    perform: ({ faults }: KitParts, { fault }) => faults.add(fault as AnyFault),
  }),
  /** `sim.faults.remove`, and `remove` of an added fault */
  "fault.remove": act({
    schema: z.strictObject({ fault: anyText }),
    perform: ({ faults }: KitParts, { fault }) => faults.remove(fault),
  }),
  /** `sim.faults.clear` */
  "fault.clear": act({ schema: z.strictObject({}), perform: ({ faults }: KitParts) => faults.clear() }),
  /** `sim.close` while calls are held back */
  "broke-off": act({ schema: z.strictObject({}), perform: ({ dispatcher }: KitParts) => dispatcher.endCalls(CLOSED) }),
};

/**
 * Returns every act of a test on a service: those of the kit, and those that its resources declare.
 * @throws {CentavoError} `INVALID_OPTION` when a resource declares an act of the kit
 */
export function everyActOn<const Resources extends readonly WithActs[]>({
  resources,
}: {
  readonly resources: Resources;
}): typeof kitActs & ActsIn<Resources> {
  const declared = actsIn(resources);
  const twice = Object.keys(kitActs).find((kind) => Object.hasOwn(declared, kind));
  if (twice !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `A resource declares the act "${twice}", which every service already has.`,
    );
  return { ...kitActs, ...declared };
}
