import * as z from "zod/mini";
import { readPart } from "../errors/english.ts";
import { acceptorOf } from "./acceptor.ts";
import type { DetailsOf, JournalEntryKind } from "./journal-entries.ts";
import type { Redacting } from "../errors/english.ts";
import { once } from "../runtime/once.ts";
import { count, moment } from "./row-schema.ts";

/** Makes the schema of details from those of their fields. Details may have further fields. */
function detailsOf<Details extends object>() {
  return (fields: { readonly [Field in keyof Details]-?: z.ZodMiniType<Details[Field]> }): z.ZodMiniType<Details> =>
    z.looseObject(fields) as unknown as z.ZodMiniType<Details>;
}

type Fault<Act> = Extract<DetailsOf<"fault">, { readonly act: Act }>;

/** Returns the details of each kind of entry, in snapshots and in the notes of recordings. Most tests have neither. */
export const journalDetails = once((): { readonly [Kind in JournalEntryKind]: z.ZodMiniType<DetailsOf<Kind>> } => {
  const text = z.optional(z.string());
  const anything = z.optional(z.unknown());
  const later = z.optional(moment);

  const step = detailsOf<DetailsOf<"step">>()({
    resource: z.string(),
    id: z.string(),
    input: z.string(),
    from: text,
    to: z.string(),
  });

  const id = z.string();
  const fault = z.discriminatedUnion("act", [
    z.looseObject({ act: z.literal("add"), id, kind: z.string() }),
    z.looseObject({ act: z.literal("remove"), id }),
    z.looseObject({ act: z.literal("strike"), id, kind: z.string(), hit: count }),
    z.looseObject({ act: z.literal("hold"), until: moment }),
    z.looseObject({ act: z.literal("let-go") }),
    z.looseObject({ act: z.literal("release"), id, events: z.array(z.string()) }),
  ] as const satisfies readonly z.ZodMiniType<Fault<DetailsOf<"fault">["act"]>>[]);

  return {
    request: detailsOf<DetailsOf<"request">>()({
      method: z.string(),
      path: z.string(),
      route: text,
      caller: text,
      query: anything,
      body: anything,
      idempotencyKey: text,
    }),
    answer: detailsOf<DetailsOf<"answer">>()({
      route: text,
      status: z.int(),
      code: text,
      replayed: z.optional(z.boolean()),
    }),
    step,
    timer: step,
    fact: detailsOf<DetailsOf<"fact">>()({ type: z.string(), id }),
    webhook: detailsOf<DetailsOf<"webhook">>()({
      event: z.string(),
      type: z.string(),
      status: z.string(),
      url: text,
      due: later,
      fault: text,
    }),
    delivery: detailsOf<DetailsOf<"delivery">>()({
      event: z.string(),
      type: z.string(),
      url: z.string(),
      attempt: count,
      sentAt: later,
      status: z.optional(z.int()),
      failure: text,
      clock: z.optional(z.enum(["real", "virtual"])),
      faults: z.optional(z.array(z.strictObject({ id, kind: z.string() }))),
      nextAt: later,
      outcome: z.string(),
    }),
    "late-answer": detailsOf<DetailsOf<"late-answer">>()({
      event: text,
      type: text,
      url: text,
      attempt: z.optional(count),
    }),
    hostile: detailsOf<DetailsOf<"hostile">>()({
      name: z.string(),
      method: z.string(),
      url: z.string(),
      status: z.optional(z.int()),
      failure: text,
    }),
    customer: detailsOf<DetailsOf<"customer">>()({
      act: z.string(),
      at: text,
      to: text,
      method: anything,
      status: z.optional(z.int()),
    }),
    visit: z.record(z.string(), z.never()),
    refused: z.record(z.string(), z.never()),
    token: detailsOf<DetailsOf<"token">>()({ merchant: z.string(), jti: z.string(), expiresAt: moment }),
    fault,
    warning: detailsOf<DetailsOf<"warning">>()({ route: text, message: text }),
    failure: detailsOf<DetailsOf<"failure">>()({ route: text, timer: text, message: z.string() }),
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
  if (isRight(value)) return undefined;
  const { data, complaint } = readPart(entry(), value, redaction, place);
  return complaint ?? readPart(journalDetails()[data.kind], data.details, redaction, `${place}.details`).complaint;
}

function isRight(value: unknown): boolean {
  if (!acceptorOf(entry())(value)) return false;
  const { kind, details } = value as z.output<ReturnType<typeof entry>>;
  return acceptorOf(journalDetails()[kind])(details);
}
