import { shownAddress } from "../kit/base/redaction/address.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import type { WebhookEvent } from "../kit/webhooks/event.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import type { KitParts } from "./acts.ts";
import { failedDeliveries } from "./webhooks-reader.ts";

/** Lists what was refused and what is not finished, one line each. */
export function unsettled({ engine, outbox, dispatcher }: KitParts): string[] {
  const redacted = (text: string): string => engine.journal.redaction.text(text);
  const failed = failedDeliveries(outbox, redacted);
  const isFailed = new Set(failed.map(({ eventId }) => eventId));
  const due = new Map(
    engine.timers.pending().flatMap(({ owner, subject, at }) => (owner === "webhook" ? [[subject, at] as const] : [])),
  );
  const undelivered = outbox
    .events()
    .filter(({ id, status, onHold }) => !isFailed.has(id) && (status === "pending" || onHold));
  const lines = [
    ...failed.map(({ message }) => message),
    ...undelivered.map((event) => leftInWords(event, due.get(event.id))),
    ...engine.journal.entries.flatMap((entry) => {
      if (entry.kind !== "refused") return [];
      const { method = "", url = "", reason = "" } = entry.volatile ?? {};
      return [`${method} ${shortened(url)} was refused: ${reason}`];
    }),
    ...callsInWords(dispatcher),
  ];
  return lines.map(redacted);
}

function leftInWords({ id, type, url = "", onHold }: WebhookEvent, due: number | undefined): string {
  const why = onHold
    ? `waits until an app is connected: sim.connect(${JSON.stringify(new URL(url).origin)}, app)`
    : due === undefined
      ? "is not delivered yet"
      : `is not delivered before ${toTimestamp(due)}`;
  return `${type} ${id} to ${shortened(shownAddress(url))} ${why}`;
}

function callsInWords({ heldCalls, hangingCalls }: KitParts["dispatcher"]): string[] {
  const waiting = heldCalls - hangingCalls.length;
  const held =
    waiting === 0 ? [] : [`${waiting === 1 ? "a call waits" : `${waiting} calls wait`} for the clock, held by a fault`];
  return [...hangingCalls.map((call) => `${call} hangs until its client gives up`), ...held];
}
