import * as z from "zod/mini";
import type { JournalEntry } from "../../kit/engine/journal-entries.ts";
import { textAnswer } from "./control.ts";
import { anObject, asIs } from "./as-is.ts";
import { journalStream } from "./journal-stream.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const length = { length: z.int(), digest: z.string() };
const entry = asIs<JournalEntry>({
  ...anObject,
  required: ["sequence", "at", "kind", "details"],
  properties: {
    sequence: { type: "integer" },
    at: { type: "string", format: "date-time" },
    kind: { type: "string" },
    details: anObject,
    volatile: anObject,
  },
});

/** `sim.journal` */
export const journalRoutes: readonly ControlRoute[] = [
  control({
    name: "journal",
    summary:
      "Returns everything that happened, in order. To a client that accepts `text/event-stream`, it sends the entries after `Last-Event-ID`, and then each new one",
    method: "GET",
    path: "/journal",
    headers: { "Last-Event-ID": "The id of the last event that a stream sent. The stream goes on after it" },
    data: z.object({ entries: z.array(entry), ...length }),
    text: "text/event-stream",
    members: { "journal.entries": { gives: "entries", isProperty: true } },
    perform: ({ sim }, { headers }) => {
      if (/\btext\/event-stream\b/i.test(headers.get("accept") ?? "")) return journalStream(sim, headers);
      const { journal } = sim;
      return { entries: [...journal.entries], length: journal.length, digest: journal.digest() };
    },
  }),
  control({
    name: "journal.digest",
    summary: "Returns the number of entries, and a SHA-256 of them",
    method: "GET",
    path: "/journal/digest",
    data: z.object(length),
    members: {
      "journal.length": { gives: "length", isProperty: true },
      "journal.digest": { gives: "digest" },
    },
    perform: ({ sim: { journal } }) => ({ length: journal.length, digest: journal.digest() }),
  }),
  control({
    name: "timeline",
    summary: "Returns the journal as a timeline, one line for each entry",
    method: "GET",
    path: "/timeline",
    text: "text/plain",
    members: { "journal.toString": {} },
    perform: ({ sim }) => textAnswer("text/plain", String(sim.journal)),
  }),
];
