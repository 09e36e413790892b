import { z } from "zod";
import type { RequestInput, UnreadableKind } from "../http/request-inputs.ts";
import type { Input } from "../engine/inputs.ts";
import { receiverAnswer } from "../receivers/receiver-answer.ts";

/** The place of an input: when it came, and after which of the timers that the world runs by itself. */
export const place = {
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  at: z.int(),
  /** How many timers had run before, the one whose delivery was under way included. */
  timers: z.int().min(0),
};

/** The words by which a recording names what was wrong with a body that it does not hold. */
const recordedDefects = {
  "body-too-large": "BODY_TOO_LARGE",
  "malformed-body": "MALFORMED_JSON",
  "unsupported-media-type": "UNSUPPORTED_MEDIA_TYPE",
  invalid: "VALIDATION_ERROR",
} as const satisfies Record<UnreadableKind, string>;

const values = z.record(z.string(), z.unknown());

/**
 * The inputs that no test performs as an act: the world meets them while it runs, and records them where it does. Each has its own way
 * into a replay.
 */
export const reports = [
  /** A request, with what the service reads of it, and the status that its client was answered. */
  z.strictObject({
    kind: z.literal("request"),
    ...place,
    method: z.string(),
    target: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
    unreadable: z.enum(recordedDefects).optional(),
    status: z.int().optional(),
  }),
  /** What came of a delivery, and the receiver's time at which it was signed. */
  z.strictObject({ kind: z.literal("answer"), ...place, event: z.string(), stamp: z.number(), answer: receiverAnswer }),
  /** An event was due, and somebody held it back, or nobody was connected. */
  z.strictObject({ kind: z.literal("obstacle"), ...place, event: z.string(), status: z.enum(["held", "waiting"]) }),
  /** Events that had met obstacles became due again, because somebody connected or let them go. */
  z.strictObject({ kind: z.literal("resumed"), ...place, events: z.array(z.string()) }),
  /** Something was written into the journal that nothing inside the world led to, such as what the customer did. */
  z.strictObject({
    kind: z.literal("note"),
    ...place,
    entry: z.string(),
    details: values,
    volatile: values.optional(),
  }),
] as const;

export type Report = z.output<(typeof reports)[number]>;

type ReportOf<Kind extends Report["kind"]> = Extract<Report, { kind: Kind }>;

const kinds: ReadonlySet<string> = new Set(reports.map(({ shape }) => shape.kind.value));

/** Writes an input in the words of a recording. */
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
