import type { Simulator } from "../simulator.ts";
import { toTimeline } from "../timeline.ts";

/** A line of the story that is not in the journal, and how many of its entries came before. */
interface Aside {
  readonly after: number;
  readonly kind: "step" | "note";
  readonly text: string;
}

/** The journal's timeline with the script's headings and the merchant's own words in between. */
export class Story {
  readonly #sim: Simulator;
  readonly #asides: Aside[] = [];

  constructor(sim: Simulator) {
    this.#sim = sim;
  }

  step(text: string): void {
    this.#add("step", text);
  }

  note(who: string, what: string): void {
    this.#add("note", `${this.#sim.clock.now().replace("T", " ")}  ${who.padEnd(9)} ${what}`);
  }

  toString(): string {
    const { entries } = this.#sim.journal;
    const lines: string[] = [];
    let told = 0;
    const tellUntil = (end: number): void => {
      if (end > told) lines.push(...toTimeline(entries.slice(told, end)).split("\n"));
      told = Math.max(told, end);
    };
    for (const { after, kind, text } of this.#asides) {
      tellUntil(after);
      if (kind === "step" && lines.length > 0) lines.push("");
      lines.push(kind === "step" ? `» ${text}` : text);
    }
    tellUntil(entries.length);
    return lines.join("\n");
  }

  #add(kind: Aside["kind"], text: string): void {
    this.#asides.push({ after: this.#sim.journal.entries.length, kind, text });
  }
}
