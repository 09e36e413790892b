import * as z from "zod/mini";
import { anyText } from "../engine/row-schema.ts";

const answered = z.strictObject({
  kind: z.literal("answered"),
  status: z.int(),
  /** The `Retry-After` header, unparsed. */
  retryAfter: z.exactOptional(anyText),
  /** The `Location` header. Redirects are reported, never followed. */
  location: z.exactOptional(anyText),
  /** The beginning of the answer's body, for people to read; absent when the body is empty. */
  bodyExcerpt: z.exactOptional(anyText),
});

const failed = z.strictObject({
  kind: z.literal("failed"),
  /**
   * `timeout`: nothing within `receiverTimeout`, or within the service's own patience when a fault delays the answer. `threw`: the app threw or rejected, or could not start. `not-a-response`: a fetch
   * handler returned something else. `refused`: nothing listens there. `reset`: the connection broke. `unreachable`: any other
   * network error. `not-connected`: no app is connected at that origin.
   */
  reason: z.enum(["timeout", "threw", "not-a-response", "refused", "reset", "unreachable", "not-connected"]),
  /** With `timeout`: the clock on which the limit passed. */
  clock: z.exactOptional(z.enum(["real", "virtual"])),
  message: anyText,
});

/** The merchant answered, with whatever status. */
export type AnsweredRequest = Readonly<z.output<typeof answered>>;

/** No answer came. */
export type FailedRequest = Readonly<z.output<typeof failed>>;

/** The result of one request to the merchant. */
export type ReceiverAnswer = AnsweredRequest | FailedRequest;

/** Reads the result of a request from a recording. */
export const receiverAnswer: z.ZodMiniType<ReceiverAnswer> = z.discriminatedUnion("kind", [answered, failed]);
