import { createSimulator, type JournalEntry } from "centavo";
import { describe, expect, expectTypeOf, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";
import type { MomentField } from "../../src/kit/engine/journal-entries.ts";
import { toTimeline } from "../../src/simulator/timeline.ts";

type Of<Kind extends JournalEntry["kind"]> = Extract<JournalEntry, { readonly kind: Kind }>;

describe("the kind of a journal entry", () => {
  test("narrows its details", () => {
    const read = (entry: JournalEntry): void => {
      if (entry.kind === "delivery") {
        expectTypeOf(entry.details.attempt).toEqualTypeOf<number>();
        expectTypeOf(entry.details.failure).toEqualTypeOf<string | undefined>();
      }
      if (entry.kind === "step" || entry.kind === "timer") expectTypeOf(entry.details.to).toEqualTypeOf<string>();
      if (entry.kind === "fault" && entry.details.act === "strike")
        expectTypeOf(entry.details.hit).toEqualTypeOf<number>();
    };
    for (const entry of createSimulator().journal.entries) read(entry);
  });

  test("narrows what is true of one run only", () => {
    expectTypeOf<NonNullable<Of<"delivery">["volatile"]>["stamp"]>().toEqualTypeOf<string | undefined>();
  });

  test("says which of its fields are times, and all of them are text", () => {
    expectTypeOf<JournalEntry["at"]>().toEqualTypeOf<string>();
    expectTypeOf<MomentField>().toEqualTypeOf<"due" | "sentAt" | "nextAt" | "expiresAt" | "until" | "stamp">();
    expectTypeOf<Of<"token">["details"]["expiresAt"]>().toEqualTypeOf<string>();
  });

  test("is one of a closed list, while details leave room for what another version says", () => {
    expectTypeOf<"comet">().not.toExtend<JournalEntry["kind"]>();
    expectTypeOf<Of<"answer">["details"]["later"]>().toEqualTypeOf<unknown>();
  });
});

describe("code that writes to the journal", () => {
  const engine = new Engine({ seed: "1", now: 0 });

  test("gives each kind its own details", () => {
    // @ts-expect-error: a fact has the id of its resource
    engine.note("fact", { type: "parcel.sent" });
    // @ts-expect-error: a status is a number
    engine.note("answer", { status: "200" });
    // @ts-expect-error: there is no such kind
    engine.note("comet", { seen: true });
    expect(engine.journal.length).toBe(3);
  });

  test("notes as an input only what can come from outside", () => {
    // @ts-expect-error: a step comes from inside the world
    engine.noteInput("step", { resource: "parcel", id: "p1", input: "send", to: "sent" });
    engine.noteInput("warning", { message: "the parcel is heavy" });
    expect(toTimeline(engine.journal.entries.slice(-1))).toContain("the parcel is heavy");
  });
});
