import * as z from "zod/mini";
import { readPart } from "../kit/base/errors/english.ts";
import { invalidTraffic } from "../traffic/decode-traffic.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { exchangeOf } from "../traffic/exchange-parts.ts";
import { readTraffic } from "../traffic/read-traffic.ts";
import { TrafficRedaction } from "../traffic/redaction.ts";
import { shownInMessages } from "../traffic/shown-in-messages.ts";
import type { LeftOut } from "./steps.ts";

/** A file of recorded traffic. */
export interface RecordedFile {
  /** How the calibration calls it, such as its path. */
  readonly name: string;
  /** HAR 1.2, or a plain JSON list of exchanges. */
  readonly content: string | Uint8Array;
}

/** What recordings hold. */
interface Recorded {
  /** Without secrets. */
  readonly exchanges: readonly Exchange[];
  readonly leftOut: readonly LeftOut[];
}

const message = {
  headers: z.array(z.readonly(z.tuple([z.string(), z.string()]))),
  body: z.optional(z.string()),
};
const exchange = z.object({
  source: z.string(),
  kind: z.enum(["call", "delivery"]),
  startedAt: z.string(),
  request: z.object({ method: z.string(), url: z.string(), ...message }),
  answer: z.optional(z.object({ status: z.number(), ...message })),
});

/**
 * Reads recordings, and takes their secrets out: a browser writes them down, and nothing that is derived from a recording may hold one.
 * @throws {CentavoError} `INVALID_TRAFFIC` for what is neither a file that can be read nor an exchange
 */
export function readRecordings(recordings: readonly (RecordedFile | Exchange)[]): Recorded {
  if (!Array.isArray(recordings)) throw invalidTraffic("calibrate takes a list of recordings");
  const leftOut: LeftOut[] = [];
  const exchanges = (recordings as readonly unknown[]).flatMap((recording, index): readonly Exchange[] => {
    if (!isFile(recording)) return [checked(recording, index)];
    const read = readTraffic(recording.content, recording.name);
    leftOut.push(...read.leftOut);
    return read.exchanges;
  });
  return { exchanges: withoutSecrets(exchanges), leftOut };
}

function isFile(recording: unknown): recording is RecordedFile {
  if (typeof recording !== "object" || recording === null) return false;
  const { name, content } = recording as Partial<Record<keyof RecordedFile, unknown>>;
  return typeof name === "string" && (typeof content === "string" || content instanceof Uint8Array);
}

function checked(recording: unknown, index: number): Exchange {
  const { data, complaint } = readPart(exchange, recording, shownInMessages);
  const read = complaint === undefined ? exchangeOf(data, "startedAt") : { why: complaint };
  if (read.why === undefined) return read.exchange;
  throw invalidTraffic(
    `calibrate: recording ${index + 1} is neither a file, { name, content }, nor an exchange: ${read.why}`,
  );
}

function withoutSecrets(exchanges: readonly Exchange[]): readonly Exchange[] {
  const redaction = new TrafficRedaction();
  const redacted = exchanges.map((each) => redaction.exchange(each));
  // What a later exchange shows to be a secret may stand in an earlier one, where nothing says so.
  return redacted.map((each) => redaction.again(each));
}
