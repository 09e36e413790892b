import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import type { WrittenEntries } from "../../kit/engine/written-entries.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { publicEntries } from "../../simulator/timeline.ts";
import { eventStream, eventText, Feed } from "./event-stream.ts";

/** How many entries are written at once. A slow client has taken them before the next are read. */
const MOST_AT_ONCE = 100;

/**
 * Sends the entries of the journal as Server-Sent Events: those after `Last-Event-ID`, and then each new one. Events:
 *
 * - `entry`: an entry of the journal
 * - `world`: `reset`, `restore` or a start of the server has replaced the world; the entries of the new one follow
 * - `forgotten`: a bounded journal has dropped older entries, so many
 * - `end`: the world was closed
 */
export function journalStream(sim: Simulator, headers: Headers): Response {
  return eventStream(new Reading(sim, headers.get("last-event-id") ?? ""));
}

/** Where a client is in the journal. */
class Reading extends Feed {
  readonly #engine: Simulator["internals"]["parts"]["engine"];
  readonly #stops: readonly (() => void)[];
  #world: number;
  /** The sequence number of the last entry that was read. */
  #last = 0;
  #isClosed = false;

  /** @param lastId the id of the last event that the client got, if it comes back */
  constructor(sim: Simulator, lastId: string) {
    super();
    const { engine } = sim.internals.parts;
    this.#engine = engine;
    const [, world, last] = /^(\d+)-(\d+)$/.exec(lastId) ?? [];
    this.#world = world === undefined ? engine.world : Number(world);
    this.#last = Number(last ?? 0);
    this.#stops = [
      listenToChannel("centavo:journal", (message) => {
        if ((message as WrittenEntries).world === engine.identity) this.wake();
      }),
      engine.onMove(() => {
        if (engine.world !== this.#world) this.wake();
      }),
      sim.onClose(() => {
        this.#isClosed = true;
        this.wake();
      }),
    ];
  }

  /** Returns what is to be sent now; undefined when there is nothing. */
  next(): string | undefined {
    const { world, journal } = this.#engine;
    const { count } = journal.forgotten;
    // A server that has started again may have a shorter journal.
    if (world !== this.#world || this.#last > count + journal.length) {
      this.#world = world;
      this.#last = 0;
      return this.#event("world", { length: journal.length });
    }
    if (this.#last < count) {
      const entries = count - this.#last;
      this.#last = count;
      return this.#event("forgotten", { entries });
    }
    const entries = journal.entries.slice(this.#last - count, this.#last - count + MOST_AT_ONCE);
    if (entries.length > 0)
      return publicEntries(entries)
        .map((entry) => {
          this.#last = entry.sequence;
          return this.#event("entry", entry);
        })
        .join("");
    if (!this.#isClosed) return undefined;
    this.stop();
    return this.#event("end", {});
  }

  /** Resolves when everything that was read is kept, if the inputs of the world are. */
  override async kept(): Promise<void> {
    await this.#engine.inputs?.keeper?.kept();
  }

  override stop(): void {
    for (const stop of this.#stops) stop();
    super.stop();
  }

  #event(event: string, data: object): string {
    return eventText(event, data, `${this.#world}-${this.#last}`);
  }
}
