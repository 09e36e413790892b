import * as z from "zod/mini";
import type { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { DOCS } from "../kit/base/errors/docs.ts";
import { readPart } from "../kit/base/errors/english.ts";
import { paymentService } from "../service/service.ts";
import { invalidTraffic } from "./decode-traffic.ts";
import type { Exchange, Header } from "./exchange.ts";
import { exchangeOf } from "./exchange-parts.ts";
import { shownInMessages } from "./shown-in-messages.ts";

const headers = z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())])));
/** A text as it was sent, or the JSON value that it was. */
const body = z.optional(z.unknown());

/** An entry of a plain list: an exchange as people write it. */
const plainEntry = z.strictObject({
  kind: z.optional(z.enum(["call", "delivery"])),
  startedAt: z.string(),
  request: z.strictObject({ method: z.string(), url: z.string(), headers, body }),
  answer: z.optional(z.strictObject({ status: z.number(), headers, body })),
});

const LOOKS_LIKE =
  '{ "startedAt": "2026-11-27T09:00:00Z", "request": { "method": "GET", "url": "https://api.pay.example/api/transactions" }, "answer": { "status": 200, "body": {} } }';

/**
 * Reads an entry of a plain list.
 * @throws {CentavoError} `INVALID_TRAFFIC` naming the wrong field
 */
export function exchangeOfPlainEntry(entry: unknown, source: string): Exchange {
  const { data, complaint } = readPart(plainEntry, entry, shownInMessages);
  if (complaint !== undefined) throw refused(source, complaint);
  const { kind = "call", startedAt, request, answer } = data;
  try {
    const { exchange, why } = exchangeOf(
      {
        source,
        kind,
        startedAt,
        request: { method: request.method, url: request.url, ...messageOf(request) },
        answer: answer && { status: answer.status, ...messageOf(answer) },
      },
      "startedAt",
    );
    if (exchange !== undefined) return exchange;
    throw refused(source, why);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw refused(source, "one of its bodies has too many levels of objects and lists");
  }
}

function refused(source: string, why: string): CentavoError {
  return invalidTraffic(
    `${source}: ${paymentService.redaction.text(why)}. An entry looks like ${LOOKS_LIKE}; ${DOCS}/guide/record.md describes it`,
  );
}

function messageOf(message: { readonly headers?: z.output<typeof headers>; readonly body?: unknown }): {
  readonly headers: readonly Header[];
  readonly body?: string;
} {
  const pairs = Object.entries(message.headers ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): Header => [name, value]),
  );
  if (message.body === undefined) return { headers: pairs };
  return { headers: pairs, body: typeof message.body === "string" ? message.body : JSON.stringify(message.body) };
}
