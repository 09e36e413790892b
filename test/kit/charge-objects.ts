import { z } from "zod";
import { choice } from "../../src/assumptions/entry.ts";
import { readerOf } from "../../src/declaration/reader.ts";
import { resourcesOf, type Ground, type MerchantWords } from "../../src/declaration/resource.ts";
import { addDuration } from "../../src/engine/duration.ts";
import { LifecycleRows } from "../../src/engine/lifecycle-rows.ts";
import { Lifecycle, type Row } from "../../src/engine/lifecycle.ts";
import { faultFamily, faultKind, selector, type Occasion } from "../../src/faults/declaration.ts";
import { text } from "../../src/faults/fields.ts";
import { Problem } from "../../src/http/problem.ts";
import { routesOf } from "../../src/http/route.ts";
import type { chargeMachine, membershipMachine, Terms } from "./charge-machines.ts";

export const assumptionTable = {
  "charge.settling": choice("When does a charge settle?", "After 2 s", z.string(), "2 seconds"),
};
export type Words = MerchantWords<"secret-key", typeof assumptionTable>;

const refusals = [
  faultKind<{ refused: boolean }>()({
    kind: "bank.refusal",
    fields: {},
    effect: (_fault, charge) => void (charge.refused = true),
  }),
] as const;
const bySource = selector<Occasion & { readonly source: string }>();
const selectors = {
  source: bySource({ field: text.optional(), selects: (wanted, charge) => wanted === charge.source }),
};
export const bank = faultFamily({ kinds: refusals, selectors });

const form = z.object({ amount: z.coerce.number().int().min(50), source: z.string() });

/** Charges or memberships: they differ in their machines, and in when they are due. */
export function objectsOf(
  object: "charge" | "membership",
  machine: typeof chargeMachine | typeof membershipMachine,
  facts: string[],
) {
  const lifecycle = new Lifecycle(object, machine);
  const status = z.enum(Object.keys(machine.states));
  const shown = z.object({ id: z.string(), object: z.literal(object), status, amount: z.int(), source: z.string() });
  const show = ({ id, state, data: { amount, source } }: Row<string, Terms>) => {
    return { id, object, status: state, amount, source };
  };
  const open = ({ engine, assumptions, faults }: Ground<Words>) => {
    const objects = new LifecycleRows(engine, lifecycle);
    const create = (account: string, { amount, source }: Pick<Terms, "amount" | "source">) => {
      const id = engine.random.base62(`id/${object}`, 24, object === "charge" ? "ch_" : "mem_");
      const occasion = { source, note: { [object]: id } };
      const { refused } = faults.fire(refusals, occasion, { refused: false }, () => true);
      const due = addDuration(engine.now, object === "charge" ? assumptions.value("charge.settling") : "1 month");
      return show(objects.create(id, { account, amount, source, due, refused }));
    };
    const finish = (id: string) => engine.history.finish(object, id);
    return { rows: objects.rows, create, finish };
  };
  type Commands = ReturnType<typeof open>;
  const route = routesOf<Words, Commands>();
  return resourcesOf<Words, Commands>()({
    name: object,
    lifecycles: [{ lifecycle, status, statusOf: status.enum, forgottenWith: object }],
    open,
    tags: { [object]: `Every ${object}` },
    routes: [
      route({
        name: `${object}.create`,
        summary: `Create a ${object}`,
        method: "POST",
        path: `/v1/${object}s`,
        credential: "secret-key",
        accepts: ["form"],
        body: form,
        data: shown,
        handle: ({ merchantId, body }, { create }) => ({ data: create(merchantId, body) }),
      }),
      route({
        name: `${object}.retrieve`,
        summary: `Retrieve a ${object}`,
        method: "GET",
        path: `/v1/${object}s/{id}`,
        credential: "secret-key",
        params: z.object({ id: z.string() }),
        data: shown,
        handle({ params }, { rows }) {
          const row = rows.get(params.id);
          if (row === undefined) throw new Problem("not-found", { detail: `No such ${object}: ${params.id}` });
          return { data: show(row) };
        },
      }),
    ],
    events: {
      name: object,
      summary: `Something happened to a ${object}`,
      announced: facts,
      schema: z.object({
        id: z.string(),
        object: z.literal("event"),
        type: z.enum(facts),
        created: z.int(),
        data: z.object({ object: shown }),
      }),
      tell({ row }) {
        const told = row as Row<string, Terms>;
        return { merchantId: told.data.account, content: () => show(told) };
      },
    },
    reactions:
      ({ create, finish }) =>
      ({ type, resource, row }) => {
        const { account, ...terms } = row.data as Terms;
        // A renewal charges the source of the membership.
        if (object === "charge" && type === "membership.renewed") create(account, terms);
        if (resource === object && lifecycle.isOver(row.state)) finish(row.id);
      },
    forgets: { [object]: ({ rows }) => ({ isNeeded: () => false, forget: (ids) => rows.forget(ids) }) },
    view: ({ rows }) => ({ [object]: readerOf(rows, show) }),
  });
}
