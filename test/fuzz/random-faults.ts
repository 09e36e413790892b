import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Fault, Simulator } from "../../src/index.ts";
import * as z from "zod/mini";
import { duration, pause } from "../../src/kit/faults/fields.ts";
import { paymentService } from "../../src/service/service.ts";
import { declineCodes } from "../../src/service/decline-codes.ts";

type Fields = Readonly<Record<string, unknown>>;

const delay = fc.constantFrom("1 ms", "2 seconds", "90 seconds", "1 hour", "3 days");
const status = fc.constantFrom(400, 401, 404, 409, 429, 500, 502, 503);
const json = fc.constantFrom<unknown>({ success: false, message: "Bad gateway" }, "<html>", 7, null);
const headers = fc.constantFrom({ "retry-after": "7" }, { "content-type": "text/plain" });

/** Some of these fields, or none. */
function some(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Fields> {
  return fc.record(fields, { requiredKeys: [] });
}

/** All of the first fields, and some of the others. */
function all(
  required: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Fields> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) });
}

const otherValue = fc.oneof(
  all({ field: fc.constant("amount"), by: fc.constantFrom(1, -1, 100) }),
  all({ field: fc.constantFrom("status", "amount"), to: fc.constantFrom("succeeded", 0) }),
);

/** A status, or an error of the service. */
const answered = fc.oneof(
  all({ status }, { body: json, headers }),
  all({ code: fc.constantFrom("RATE_LIMITED", "INTERNAL_ERROR") }),
);

/** The fields of kinds of fault, without their selectors and counts, where a field's schema does not say which values do most. */
const chosenFields: Readonly<Record<string, fc.Arbitrary<Fields>>> = {
  "request.status": answered,
  "request.malformed": some({ body: fc.constantFrom("", "{", "[]", "null") }),
  "response.status": answered,
  "response.truncated": some({ keep: fc.nat(40) }),
  "response.content-type": some({ contentType: fc.constant("text/html"), body: fc.constant("<p>Maintenance</p>") }),
  "processor.decline": all({ code: fc.constantFrom(...declineCodes) }, { synchronous: fc.boolean() }),
  "webhook.duplicate": some({ copies: fc.integer({ min: 1, max: 4 }), delay }),
  "webhook.extra-fields": some({ fields: fc.constant({ beta: true, livemode: false }) }),
  "webhook.unknown-type": some({ type: fc.constant("payout.created") }),
  "webhook.unknown-object": some({ object: fc.constant("pi_of_another_merchant") }),
  "webhook.other-object": some({ object: fc.constant("pi_of_another_order") }),
  "webhook.other-value": otherValue,
  "response.other-value": otherValue,
  "webhook.corrupt-body": some({ body: fc.constantFrom("", "not JSON") }),
  "webhook.answer": all(
    { status: fc.constantFrom(200, 204, 302, 410, 429, 500, 503) },
    { headers: fc.constant({ "retry-after": "100" }), reaches: fc.boolean() },
  ),
  "clock.skew": all(
    { by: delay },
    { direction: fc.constantFrom("ahead", "behind"), stamp: fc.constantFrom("webhook", "token") },
  ),
};

/** Returns any fields of a kind of fault, without its selectors and counts. */
export function fieldsOf(kind: string): fc.Arbitrary<Fields> {
  const declared = paymentService.knownFaults.kinds.find((each) => each.kind === kind);
  if (declared === undefined) throw new Error(`No resource declares the fault ${kind}.`);
  const fields = Object.entries(declared.fields as Record<string, z.ZodMiniType>);
  const required = fields.filter(([, schema]) => !(schema instanceof z.ZodMiniOptional));
  return (
    chosenFields[kind] ??
    fc.record(Object.fromEntries(fields.map(([name, schema]) => [name, valuesOf(kind, schema)])), {
      requiredKeys: required.map(([name]) => name),
    })
  );
}

function valuesOf(kind: string, schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodMiniOptional) return valuesOf(kind, schema.def.innerType);
  if (schema === duration || schema === pause) return delay;
  if (schema instanceof z.ZodMiniEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodMiniBoolean) return fc.boolean();
  throw new Error(`Choose values for the fields of ${kind} in chosenFields: their schemas do not say enough.`);
}

const START = Date.UTC(2026, 0, 1);
const offset = fc.constantFrom(0, 2000, 3_600_000, 86_400_000, 40 * 86_400_000);
const window = fc.tuple(offset, offset).filter(([from, until]) => from < until);

/** How often and when it fires; most faults of a test fire a few times. */
const recurrence: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 5, arbitrary: all({ times: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: all({ times: fc.integer({ min: 1, max: 3 }), after: fc.nat(3) }) },
  { weight: 1, arbitrary: all({ nth: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: all({ probability: fc.constantFrom(0.3, 0.5, 0.7, 0, 1) }, { times: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 1,
    arbitrary: window.map(([from, until]) => ({ from: new Date(START + from).toISOString(), until: START + until })),
  },
  { weight: 1, arbitrary: some({}) },
);

const calls = some({
  route: fc.constantFrom(
    "payment-intent.create",
    "payment-intent.confirm",
    "payment-intent.status",
    "checkout.create",
    "checkout.submit",
    "challenge.answer",
    "subscription.process-payment",
    "subscription.cancel",
    "oauth.token",
  ),
  method: fc.constantFrom("GET", "POST"),
  path: fc.constantFrom("/api/*", "/api/payment-intent/*", "/pay/*"),
  paymentMethod: fc.constantFrom("pm_card_approved", "card"),
});
const charges = some({
  paymentMethod: fc.constantFrom("pm_card_approved", "card", "gcash"),
  customer: fc.constantFrom("present", "absent"),
});
const events = some({
  event: fc.constantFrom("payment_intent.*", "payment_intent.succeeded", "checkout.completed", "subscription.*"),
});

/** Where faults of a family fire; one field at most, because two seldom meet. */
const places: Readonly<Record<string, fc.Arbitrary<Fields>>> = {
  request: atMostOne(calls),
  response: atMostOne(calls),
  processor: atMostOne(charges),
  webhook: atMostOne(events),
  clock: some({}),
};

function atMostOne(fields: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> {
  const one = fields.map((chosen) => Object.fromEntries(Object.entries(chosen).slice(0, 1)));
  return fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: one });
}

/** Any fault of one kind. */
export function faultOf(kind: string): fc.Arbitrary<Fault> {
  const [family = ""] = kind.split(".");
  return fc
    .tuple(fieldsOf(kind), places[family] ?? some({}), recurrence)
    .map(([fields, place, when]) => Object.assign({ kind }, fields, place, when) as Fault);
}

/** Any fault. */
export const randomFault: fc.Arbitrary<Fault> = fc.oneof(
  ...paymentService.knownFaults.kinds.map(({ kind }) => faultOf(kind)),
);

/** Plans a fault. One whose window is over is refused, and no other. */
export function planFault({ clock, faults }: Pick<Simulator, "clock" | "faults">, fault: Fault): void {
  const { until } = fault;
  const isOver = until !== undefined && new Date(until).getTime() <= Date.parse(clock.now());
  if (isOver) assert.throws(() => faults.add(fault), { code: "INVALID_FAULT" });
  else faults.add(fault);
}
