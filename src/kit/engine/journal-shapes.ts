import * as z from "zod/mini";
import { readPart } from "../base/errors/english.ts";
import type { DetailsOf, JournalEntryKind } from "./journal-entries.ts";
import type { Redacting } from "../base/errors/english.ts";
import { once } from "../base/runtime/once.ts";
import { anyText, count, moment, textIfAny } from "./row-schema.ts";

/** Makes the schema of details from the schemas of their fields, and allows more fields. */
function detailsOf<Details extends object>() {
  return (fields: { readonly [Field in keyof Details]-?: z.ZodMiniType<Details[Field]> }): z.ZodMiniType<Details> =>
    z.looseObject(fields) as unknown as z.ZodMiniType<Details>;
}

type Fault<Act> = Extract<DetailsOf<"fault">, { readonly act: Act }>;

/** Returns the schemas of details, for snapshots and recordings. They are made on demand, because most tests need neither. */
export const journalDetails = once((): { readonly [Kind in JournalEntryKind]: z.ZodMiniType<DetailsOf<Kind>> } => {
  const anything = z.optional(z.unknown());
  const later = z.optional(moment);

  const step = detailsOf<DetailsOf<"step">>()({
    resource: anyText,
    id: anyText,
    input: anyText,
    from: textIfAny,
    to: anyText,
  });

  const id = anyText;
  const fault = z.discriminatedUnion("act", [
    z.looseObject({ act: z.literal("add"), id, kind: anyText }),
    z.looseObject({ act: z.literal("remove"), id }),
    z.looseObject({ act: z.literal("strike"), id, kind: anyText, hit: count }),
    z.looseObject({ act: z.literal("hold"), until: moment }),
    z.looseObject({ act: z.literal("let-go") }),
    z.looseObject({ act: z.literal("release"), id, events: z.array(anyText) }),
  ] as const satisfies readonly z.ZodMiniType<Fault<DetailsOf<"fault">["act"]>>[]);

  return {
    request: detailsOf<DetailsOf<"request">>()({
      method: anyText,
      path: anyText,
      route: textIfAny,
      caller: textIfAny,
      query: anything,
      body: anything,
      idempotencyKey: textIfAny,
    }),
    answer: detailsOf<DetailsOf<"answer">>()({
      route: textIfAny,
      status: z.int(),
      code: textIfAny,
      replayed: z.optional(z.boolean()),
    }),
    step,
    timer: step,
    fact: detailsOf<DetailsOf<"fact">>()({ type: anyText, id }),
    webhook: detailsOf<DetailsOf<"webhook">>()({
      event: anyText,
      type: anyText,
      status: anyText,
      url: textIfAny,
      due: later,
      fault: textIfAny,
    }),
    delivery: detailsOf<DetailsOf<"delivery">>()({
      event: anyText,
      type: anyText,
      url: anyText,
      attempt: count,
      sentAt: later,
      status: z.optional(z.int()),
      failure: textIfAny,
      clock: z.optional(z.enum(["real", "virtual"])),
      faults: z.optional(z.array(z.strictObject({ id, kind: anyText }))),
      nextAt: later,
      outcome: anyText,
    }),
    "late-answer": detailsOf<DetailsOf<"late-answer">>()({
      event: textIfAny,
      type: textIfAny,
      url: textIfAny,
      attempt: z.optional(count),
    }),
    hostile: detailsOf<DetailsOf<"hostile">>()({
      name: anyText,
      method: anyText,
      url: anyText,
      status: z.optional(z.int()),
      failure: textIfAny,
    }),
    customer: detailsOf<DetailsOf<"customer">>()({
      act: anyText,
      at: textIfAny,
      to: textIfAny,
      method: anything,
      status: z.optional(z.int()),
    }),
    visit: z.record(anyText, z.never()),
    refused: z.record(anyText, z.never()),
    dropped: z.record(anyText, z.never()),
    token: detailsOf<DetailsOf<"token">>()({ merchant: anyText, jti: anyText, expiresAt: moment }),
    fault,
    warning: detailsOf<DetailsOf<"warning">>()({ route: textIfAny, message: textIfAny }),
    failure: detailsOf<DetailsOf<"failure">>()({ route: textIfAny, timer: textIfAny, message: anyText }),
  };
});

const entry = once(() =>
  z.strictObject({
    sequence: count,
    at: moment,
    kind: z.enum(Object.keys(journalDetails()) as [JournalEntryKind, ...JournalEntryKind[]]),
    details: z.looseObject({}),
    volatile: z.optional(z.looseObject({})),
  }),
);

/**
 * Returns what is wrong with a journal entry of a snapshot.
 * @param place the path of the entry in the snapshot
 */
export function problemInEntry(value: unknown, place: string, redaction: Redacting): string | undefined {
  const { data, complaint } = readPart(entry(), value, redaction, place);
  return complaint ?? readPart(journalDetails()[data.kind], data.details, redaction, `${place}.details`).complaint;
}
