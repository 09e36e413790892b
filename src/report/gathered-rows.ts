import { shownAddress } from "../kit/base/redaction/address.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { cleaner } from "./causes/cause-report.ts";
import { Messages } from "./messages.ts";
import { PlannedFaults } from "./planned-faults.ts";
import type { Playback } from "./playback.ts";
import type { Row } from "./reported-run.ts";
import { ResourcesInRun } from "./resources.ts";
import { BareRows } from "./rows.ts";
import { tidied } from "./tidied.ts";

type Growing = { -readonly [Member in keyof Row]: Row[Member] } & { about: number[] };

/** How much of an entry is searched for ids, in characters. */
const MOST_SEARCHED = 4000;

/** Follows the entries of a run in order, and makes of each the row that a report shows. It only reads the simulator. */
export class GatheredRows {
  readonly resources: ResourcesInRun;
  readonly faults = new PlannedFaults();
  readonly #sim: Simulator;
  readonly #clean: ReturnType<typeof cleaner>;
  readonly #bare = new BareRows();
  readonly #messages: Messages;
  /** The request whose answer has not come, and whether its row has changed since it was returned. */
  #open: { readonly row: Growing; isChanged: boolean } | undefined;
  /** The resources that the call under way concerns. */
  #ofCall: number[] = [];

  /** @param heard what was recorded while the run was replayed */
  constructor(sim: Simulator, heard?: Playback) {
    const { journal } = sim.internals.parts.engine;
    this.#sim = sim;
    this.#clean = cleaner(sim);
    this.resources = new ResourcesInRun(sim);
    this.#messages = new Messages(journal.entries, heard, { redaction: journal.redaction, clean: this.#clean });
  }

  /**
   * Takes the next entries.
   * @returns their rows, behind the row of an earlier request if these entries change it
   */
  take(entries: readonly StoredEntry[]): Row[] {
    this.#follow(entries);
    return this.#rowsOf(entries).map((row) => tidied<Row>(row, this.#clean));
  }

  /** Takes the next entries, whose rows nobody needs. */
  skip(entries: readonly StoredEntry[]): void {
    this.#follow(entries);
    // What comes before the last request changes no later row.
    const last = entries.findLastIndex(({ kind }) => kind === "request");
    this.#rowsOf(entries.slice(Math.max(0, last)));
  }

  /** Returns the places of the resources that a text names. */
  placesIn(text: string): number[] {
    const words = text.slice(0, MOST_SEARCHED).match(/\w{6,}/g) ?? [];
    return [...new Set(words.flatMap((word) => this.resources.placeOf(word) ?? []))];
  }

  #follow(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      this.resources.take(entry);
      this.faults.take(entry);
    }
  }

  #rowsOf(entries: readonly StoredEntry[]): Growing[] {
    const earlier = this.#open;
    if (earlier !== undefined) earlier.isChanged = false;
    const rows = entries.map((entry) => this.#rowOf(entry));
    return earlier?.isChanged === true ? [earlier.row, ...rows] : rows;
  }

  #rowOf(entry: StoredEntry): Growing {
    const row: Growing = Object.assign(this.#bare.of(entry), {
      about: this.#about(entry),
      facts: factsOf(entry),
      parts: this.#messages.of(entry),
    });
    if (entry.kind === "request") this.#open = { row, isChanged: false };
    if (entry.kind === "answer" && this.#open !== undefined) {
      // The arrow of the answer shows the outcome of the call.
      Object.assign(this.#open.row, { result: row.label, tone: row.tone });
      this.#open.isChanged = true;
      this.#open = undefined;
    }
    return row;
  }

  /** Finds the resources that an entry names, in its details or in its event's body. */
  #about({ kind, details }: StoredEntry): number[] {
    const own = this.placesIn(JSON.stringify(details));
    // An answer names no resource. Neither does a request that creates one, because it has no id yet.
    if (kind === "request") this.#ofCall = own;
    if (kind === "step") {
      const added = own.filter((place) => !this.#ofCall.includes(place));
      this.#ofCall.push(...added);
      if (added.length > 0 && this.#open !== undefined) this.#open.isChanged = true;
    }
    if (kind === "answer") {
      const about = this.#ofCall;
      // Later moves belong to no call.
      this.#ofCall = [];
      return about;
    }
    if (kind === "request") return this.#ofCall;
    const event = this.#sim.internals.parts.outbox.event(String(details["event"]));
    return event === undefined ? own : [...new Set([...own, ...this.placesIn(event.body)])];
  }
}

function factsOf({ details, volatile }: StoredEntry): (readonly [string, string])[] {
  const { answer: _, ...rest } = volatile ?? {};
  return Object.entries({ ...details, ...rest })
    .filter(([name]) => name !== "body")
    .map(
      ([name, value]) =>
        [
          name,
          name === "url" ? shownAddress(String(value)) : typeof value === "string" ? value : inWords(value),
        ] as const,
    );
}
