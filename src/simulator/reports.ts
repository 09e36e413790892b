import * as z from "zod/mini";
import type { RequestInput, UnreadableKind } from "../kit/http/request-inputs.ts";
import { anyText, count, moment, textIfAny } from "../kit/engine/row-schema.ts";
import type { Input } from "../kit/engine/inputs.ts";
import { receiverAnswer } from "../kit/receivers/receiver-answer.ts";

/** The place of an input in a run. */
export const place = {
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  at: moment,
  /** How many timers had run before, including the timer of a delivery in flight. */
  timers: count,
};

/** The names of defects in a recording, for bodies that it does not store. */
const recordedDefects = {
  "body-too-large": "BODY_TOO_LARGE",
  "malformed-body": "MALFORMED_JSON",
  "unsupported-media-type": "UNSUPPORTED_MEDIA_TYPE",
  invalid: "VALIDATION_ERROR",
} as const satisfies Record<UnreadableKind, string>;

const values = z.record(anyText, z.unknown());

/**
 * The inputs that are not acts of the test. The world records them when they come, and `Player` replays each kind in its own way.
 */
export const reports = [
  /** A request with the headers that the service reads, and the status of its answer. */
  z.strictObject({
    kind: z.literal("request"),
    ...place,
    method: anyText,
    target: anyText,
    headers: z.record(anyText, anyText),
    body: textIfAny,
    unreadable: z.optional(z.enum(recordedDefects)),
    status: z.optional(z.int()),
  }),
  /** The result of a delivery, and the receiver's time at which it was signed. */
  z.strictObject({ kind: z.literal("answer"), ...place, event: anyText, stamp: moment, answer: receiverAnswer }),
  /** A due event was not sent, because the test held it or no app was connected. */
  z.strictObject({ kind: z.literal("obstacle"), ...place, event: anyText, status: z.enum(["held", "waiting"]) }),
  /** Held or waiting events became due again, because the test released them or an app was connected. */
  z.strictObject({ kind: z.literal("resumed"), ...place, events: z.array(anyText) }),
  /** A journal entry whose cause is outside the world, such as a customer's action. */
  z.strictObject({
    kind: z.literal("note"),
    ...place,
    entry: anyText,
    details: values,
    volatile: z.optional(values),
  }),
] as const;

export type Report = z.output<(typeof reports)[number]>;

type ReportOf<Kind extends Report["kind"]> = Extract<Report, { kind: Kind }>;

const kinds: ReadonlySet<string> = new Set(reports.flatMap(({ shape }) => shape.kind.def.values));

/** Converts an input into its form in a recording. */
export function recorded(input: Input): object {
  const { unreadable } = input as RequestInput;
  return unreadable === undefined ? input : { ...input, unreadable: recordedDefects[unreadable] };
}

export function isReport(input: { readonly kind: string }): input is Report {
  return kinds.has(input.kind);
}

export function isReportOf<Kind extends Report["kind"]>(
  kind: Kind,
  input: { readonly kind: string } | undefined,
): input is ReportOf<Kind> {
  return input?.kind === kind;
}
