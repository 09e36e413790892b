import * as z from "zod/mini";
import type { JournalEntry } from "../../kit/engine/journal-entries.ts";
import { textAnswer } from "./control.ts";
import { anObject, asIs } from "./as-is.ts";
import { carriedBy } from "../inspector/messages.ts";
import type { CarriedBy } from "../inspector/messages.ts";
import { journalStream } from "./journal-stream.ts";
import { found } from "./readers.ts";
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

const carried = asIs<CarriedBy>({
  ...anObject,
  required: ["parts"],
  properties: {
    parts: {
      type: "array",
      items: {
        type: "object",
        required: ["title"],
        properties: {
          title: { type: "string" },
          target: { type: "string", description: "Where a request went" },
          headers: { type: "array", items: { type: "array", items: { type: "string" } } },
          body: { type: "string" },
          cut: { type: "integer", description: "How many characters of the body were left out" },
        },
      },
    },
    problem: { type: "string", description: "Why something may be missing" },
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
    name: "journal.carried",
    summary: "Returns the headers and bodies of an entry, without secrets. It may play the run again for that",
    method: "GET",
    path: "/journal/{sequence}/carried",
    params: z.object({ sequence: z.string() }),
    data: carried,
    perform: async ({ sim }, { params: { sequence } }) =>
      found(
        await carriedBy(sim, Number(sequence)),
        `The journal has no entry ${JSON.stringify(sequence.slice(0, 100))}, or has forgotten it.`,
      ),
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
