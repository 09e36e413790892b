import type { JournalEntry } from "../engine/journal-entries.ts";
import { toTimeline } from "../simulator/timeline.ts";

/** What a story is told from. */
export interface StorySource {
  readonly clock: { now(): string };
  readonly journal: { readonly entries: readonly JournalEntry[]; readonly length: number };
}

/** A line of the story that is not in the journal, and how many of its entries came before. */
interface Aside {
  readonly after: number;
  readonly kind: "step" | "note";
  readonly text: string;
}

const LONGEST_LINE = 160;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/;

/**
 * The journal's timeline made for reading: with the script's headings and the merchant's own words in between, a time only where it
 * has moved on, and long ids and lines cut short. The journal itself has everything in full.
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

  toString(): string {
    const { entries } = this.#sim.journal;
    const lines: string[] = [];
    let told = 0;
    const tellUntil = (end: number): void => {
      // One by one: a long story has more lines than a call takes arguments.
      if (end > told) for (const line of toTimeline(entries.slice(told, end)).split("\n")) lines.push(line);
      told = Math.max(told, end);
    };
    for (const { after, kind, text } of this.#asides) {
      tellUntil(after);
      if (kind === "step" && lines.length > 0) lines.push("");
      lines.push(kind === "step" ? `» ${text}` : text);
    }
    tellUntil(entries.length);
    return forReading(lines).join("\n");
  }

  #add(kind: Aside["kind"], text: string): void {
    this.#asides.push({ after: this.#sim.journal.length, kind, text });
  }
}

function forReading(lines: readonly string[]): string[] {
  let lastTime: string | undefined;
  return lines.map((line) => {
    const time = TIME.exec(line)?.[0];
    const repeated = time !== undefined && time === lastTime;
    // Under a heading the time stands again, so that each step can be read alone.
    lastTime = time;
    const short = shortened(line);
    const blank = time === undefined ? 0 : shortened(time).length;
    return repeated ? " ".repeat(blank) + short.slice(blank) : short;
  });
}

function shortened(line: string): string {
  const short = line
    .replaceAll(/(?<=:\d\d)\.000Z/g, "")
    .replaceAll(/\b([a-z_]+_[0-9A-Za-z]{6})[0-9A-Za-z]{14,}/g, "$1…")
    .replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "$1…");
  return short.length > LONGEST_LINE ? `${short.slice(0, LONGEST_LINE - 1)}…` : short;
}
