import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { paymentService } from "../simulator/payment-service.ts";
import { forReading } from "../simulator/readable-timeline.ts";
import { toTimeline } from "../simulator/timeline.ts";

/** The clock and journal of a story. */
export interface StorySource {
  readonly clock: { now(): string };
  readonly journal: { readonly entries: readonly StoredEntry[]; readonly length: number };
}

/** A line of the timeline that is not in the journal. */
export interface Aside {
  /** How many journal entries came before it. */
  readonly after: number;
  readonly kind: "step" | "note";
  readonly text: string;
}

/**
 * The journal's timeline for people to read. It adds the script's headings and the merchant's notes, shows a time only when it changes,
 * and shortens long ids and lines. The journal itself has everything in full.
 */
export class Story {
  readonly #sim: StorySource;
  readonly #asides: Aside[] = [];

  constructor(sim: StorySource) {
    this.#sim = sim;
  }

  step(text: string): void {
    this.#add("step", text);
  }

  note(who: string, what: string): void {
    this.#add("note", `${this.#sim.clock.now().replace("T", " ")}  ${who.padEnd(8)}  ${what}`);
  }

  /** The headings and notes for a report, each with the number of journal entries before it. */
  get asides(): readonly Aside[] {
    return this.#asides;
  }

  /** Notes beside the journal, such as log lines of the merchant's app. */
  get notes(): string {
    return this.#asides
      .filter(({ kind }) => kind === "note")
      .map(({ text }) => text)
      .join("\n");
  }

  toString(): string {
    const { entries } = this.#sim.journal;
    const lines: string[] = [];
    let written = 0;
    const writeUntil = (end: number): void => {
      // One by one, because a long story has more lines than a call can take arguments.
      if (end > written) for (const line of toTimeline(entries.slice(written, end)).split("\n")) lines.push(line);
      written = Math.max(written, end);
    };
    for (const { after, kind, text } of this.#asides) {
      writeUntil(after);
      if (kind === "step" && lines.length > 0) lines.push("");
      lines.push(kind === "step" ? `» ${text}` : text);
    }
    writeUntil(entries.length);
    return forReading(lines).join("\n");
  }

  #add(kind: Aside["kind"], text: string): void {
    this.#asides.push({ after: this.#sim.journal.length, kind, text: printable(paymentService.redaction.text(text)) });
  }
}
