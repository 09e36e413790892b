import { setup } from "xstate";
import * as z from "zod/mini";
import { kitFaults } from "../../src/kit/declaration/faults.ts";
import { readerOf } from "../../src/kit/declaration/reader.ts";
import { resourcesOf, type Ground, type MerchantWords } from "../../src/kit/declaration/resource.ts";
import { defineService } from "../../src/kit/declaration/define-service.ts";
import { addDuration } from "../../src/kit/engine/duration.ts";
import { LifecycleRows } from "../../src/kit/engine/lifecycle-rows.ts";
import { Lifecycle, type Row } from "../../src/kit/engine/lifecycle.ts";
import { deadline } from "../../src/kit/engine/machine.ts";
import { HttpError } from "../../src/kit/http/http-error.ts";
import { routesOf } from "../../src/kit/http/route.ts";
import { usualWebhookPolicies } from "../../src/kit/webhooks/policies.ts";

export type Words = MerchantWords<"secret-key", {}>;
const amount = z.coerce.number().check(z.int(), z.minimum(50));
const form = z.object({ amount, source: z.string(), every: z.optional(z.literal("month")) });
const terms = z.extend(form, { account: z.string(), due: z.int() });
const status = z.enum(["pending", "renewing", "succeeded", "failed"]);
const shown = z.extend(terms, { id: z.string(), object: z.literal("charge"), status });
const facts = z.enum(["charge.succeeded", "charge.failed", "charge.renewed"]);
const data = z.object({ object: shown });
const event = z.object({ id: z.string(), object: z.literal("event"), type: facts, created: z.int(), data });
type Terms = z.output<typeof terms>;
type Due = { type: "settle" | "renew"; at: number };
const { assign, createMachine, emit, raise } = setup({
  types: { context: {} as Terms, input: {} as Terms & { at: number }, events: {} as Due },
  guards: { refused: ({ context }) => context.source === "tok_bad", monthly: ({ context }) => "every" in context },
});
const whenDue = (input: Due["type"]) => raise(...deadline("due", input, ({ due }: Terms) => due));
const nextMonth = assign({ due: ({ context }) => addDuration(context.due, "1 month") });
const succeed = emit({ type: "charge.succeeded" });
const settle = [
  { guard: "refused", target: "failed", actions: emit({ type: "charge.failed" }) },
  { guard: "monthly", target: "renewing", actions: [nextMonth, succeed] },
  { target: "succeeded", actions: succeed },
] as const;
const renew = { target: "pending", actions: emit({ type: "charge.renewed" }) } as const;
const machine = createMachine({
  context: ({ input }) => terms.parse(input),
  initial: "pending",
  states: {
    pending: { entry: whenDue("settle"), on: { settle } },
    renewing: { entry: whenDue("renew"), on: { renew } },
    succeeded: { type: "final" },
    failed: { type: "final" },
  },
});
const lifecycle = new Lifecycle("charge", machine);
type Charge = Row<z.output<typeof status>, Terms>;
const show = ({ id, state, data: held }: Charge) => ({ id, object: "charge" as const, status: state, ...held });
const tell = (charge: Charge) => ({ merchantId: charge.data.account, content: show(charge) });
const open = ({ engine }: Ground<Words>) => ({
  engine,
  finish: ({ row: { id, state } }: { readonly row: Row }) => {
    if (lifecycle.isOver(state)) engine.history.finish("charges", id);
  },
  accounts: engine.table("accounts", { row: z.object({ webhookUrl: z.optional(z.url()) }) }),
  stored: new LifecycleRows(engine, lifecycle, { data: terms }),
});
type Commands = ReturnType<typeof open>;
const route = routesOf<Words, Commands>();
const usual = { credential: "secret-key", data: shown } as const;
const errors = {
  parameter_invalid: { status: 400, message: "The request is invalid" },
  key_invalid: { status: 401, message: "No such API key" },
  resource_missing: { status: 404, message: "No such object" },
  method_invalid: { status: 405, message: "This address does not take this method" },
  key_in_use: { status: 409, message: "The idempotency key belongs to another request" },
  unavailable: { status: 500, message: "Something went wrong on our side" },
};
export const charges = resourcesOf<Words, Commands>()({
  name: "charges",
  lifecycles: [{ lifecycle, status, statusOf: status.def.entries, forgottenWith: "charges" }],
  open,
  routes: [
    route({
      ...usual,
      name: "charge.create",
      summary: "Create a charge",
      method: "POST",
      path: "/v1/charges",
      accepts: ["form"],
      body: form,
      handle({ merchantId: account, body }, { engine, stored }) {
        const id = engine.random.base62("id/charge", 24, "ch_");
        return { data: show(stored.create(id, { ...body, account, due: addDuration(engine.now, "2 seconds") })) };
      },
    }),
    route({
      ...usual,
      name: "charge.retrieve",
      summary: "Retrieve a charge",
      method: "GET",
      path: "/v1/charges/{id}",
      params: z.object({ id: z.string() }),
      handle({ params }, { stored }) {
        const charge = stored.rows.get(params.id);
        if (charge === undefined) throw new HttpError("resource_missing", 404, errors.resource_missing);
        return { data: show(charge) };
      },
    }),
  ],
  events: {
    name: "charge",
    summary: "Something happened to a charge",
    announced: facts.options,
    schema: event,
    tell: ({ row }) => tell(row as Charge),
  },
  reactions: (commands) => commands.finish,
  forgets: { charges: ({ stored: { rows } }) => ({ isNeeded: () => false, forget: (ids) => rows.forget(ids) }) },
  view: ({ stored }) => ({ charges: readerOf("charges", stored.rows, show) }),
});

/** Another provider's charge API: forms in, bare objects out, and charges that renew every month. */
export const chargeApi = defineService<Words, readonly [typeof charges]>({
  name: "charge-api",
  resources: [charges],
  assumptions: {},
  secrets: { shapes: { sk_: /sk_(?:test|live)_\w{4,}/ }, fields: ["pin"], cardFields: ["source"] },
  faults: (service, eventTypes) => kitFaults({ ...service, eventTypes, eventFields: ["id", "object"] }),
  errors: { table: errors },
  http: () => ({
    authenticate(_credential, { authorization }) {
      if (authorization === "Bearer sk_test_acct_1") return { merchantId: "acct_1" };
      throw new HttpError("key_invalid", 401, errors.key_invalid);
    },
    failureOfStatus: () => ({ error: { code: "unavailable", message: errors.unavailable.message } }),
    failure: ({ code, message, errors: [first] }) => ({ error: { code, message, param: first?.path } }),
    idempotencyLifetime: () => "1 hour",
    unknownFields: () => "refuse",
  }),
  webhooks: () => ({
    ...usualWebhookPolicies,
    body: ({ id, type, createdAt }, content) =>
      JSON.stringify({ id, object: "event", type, created: Math.floor(createdAt / 1000), data: { object: content } }),
    secretOf: (account) => `whsec_${account}`,
    signature: () => ({ scheme: "stripe" }),
    retryAt: ({ retry, now }) => (retry > 3 ? undefined : addDuration(now, `${retry} hours`)),
  }),
  receiverOf: (account, of) => of(charges).accounts.get(account)?.webhookUrl,
  begin: (of, { webhookUrl }) => of(charges).accounts.set("acct_1", { webhookUrl }),
});
