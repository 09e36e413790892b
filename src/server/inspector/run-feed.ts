import { randomBytes } from "node:crypto";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import { realTime } from "../../kit/base/runtime/real-time.ts";
import type { WrittenEntries } from "../../kit/engine/written-entries.ts";
import { GatheredRows } from "../../report/gathered-rows.ts";
import type { LiveEvents } from "../../report/live-run.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { eventText, Feed } from "../control/event-stream.ts";
import { LiveMembers } from "./live-members.ts";

/** How many rows are sent at once. A slow client has taken them before the next are made. */
const MOST_ROWS = 200;
/** How much real time passes between two states, in milliseconds. */
const BETWEEN_STATES = 250;

/** What tells a simulator from others that had the same address, in the ids of events. */
const tags = new WeakMap<Simulator, string>();

/**
 * Sends a run while it goes on, as `LiveEvents` describes it. What a new entry costs depends on the entry, and not on the length of the
 * journal.
 */
export class RunFeed extends Feed {
  readonly #sim: Simulator;
  readonly #engine: Simulator["internals"]["parts"]["engine"];
  readonly #title: string;
  readonly #tag: string;
  readonly #betweenStates: number;
  readonly #stops: readonly (() => void)[];
  /** The last entry that a client has which comes back, and the world of it. */
  #resumed: { readonly world: number; readonly last: number } | undefined;
  #gathered: GatheredRows | undefined;
  #members: LiveMembers | undefined;
  #world = 0;
  /** How many entries were forgotten when the run began. */
  #forgotten = 0;
  /** The sequence number of the last entry that was read. */
  #last = 0;
  #isClosed = false;
  #isStale = false;
  #nextState = 0;

  /**
   * @param title what the run is called
   * @param options.lastId the id of the last event that the client got, if it comes back
   * @param options.betweenStates how much real time passes between two states, in milliseconds
   */
  constructor(
    sim: Simulator,
    title: string,
    options: { readonly lastId?: string | null; readonly betweenStates?: number } = {},
  ) {
    const { lastId, betweenStates = BETWEEN_STATES } = options;
    super();
    const { engine } = sim.internals.parts;
    this.#sim = sim;
    this.#engine = engine;
    this.#title = title;
    this.#betweenStates = betweenStates;
    this.#tag = tagOf(sim);
    const [, tag, world, last] = /^([\w-]+)\.(\d+)\.(\d+)$/.exec(lastId ?? "") ?? [];
    if (tag === this.#tag) this.#resumed = { world: Number(world), last: Number(last) };
    const news = (): void => {
      this.#isStale = true;
      this.wake();
    };
    this.#stops = [
      listenToChannel("centavo:journal", (message) => {
        if ((message as WrittenEntries).world === engine.identity) news();
      }),
      engine.onMove(news),
      sim.onClose(() => {
        this.#isClosed = true;
        this.wake();
      }),
    ];
  }

  override get patience(): number | undefined {
    return this.#isStale ? Math.max(1, this.#nextState - realTime()) : undefined;
  }

  override next(): string | undefined {
    const { world, journal } = this.#engine;
    const { count } = journal.forgotten;
    if (this.#gathered === undefined || world !== this.#world || count !== this.#forgotten) {
      const begun = this.#begin();
      if (begun !== undefined) return begun;
    }
    const gathered = this.#gathered as GatheredRows;
    // A request before them may change with these entries.
    const entries = journal.entries.slice(this.#last - count, this.#last - count + MOST_ROWS - 1);
    if (entries.length > 0) {
      this.#last += entries.length;
      return this.#event("rows", gathered.take(entries));
    }
    const isDue = this.#isStale && realTime() >= this.#nextState;
    const changed = isDue || this.#isClosed ? this.#changed(gathered) : "";
    if (!this.#isClosed) return changed === "" ? undefined : changed;
    this.stop();
    return changed + this.#event("end", {});
  }

  override async kept(): Promise<void> {
    await this.#engine.inputs?.keeper?.kept();
  }

  override stop(): void {
    for (const stop of this.#stops) stop();
    this.#gathered = undefined;
    this.#members = undefined;
    super.stop();
  }

  /** Begins to read the world that there is now. Returns nothing when the client comes back to it. */
  #begin(): string | undefined {
    const { world, journal } = this.#engine;
    const { count } = journal.forgotten;
    const { world: itsWorld, last = 0 } = this.#resumed ?? {};
    this.#resumed = undefined;
    this.#world = world;
    this.#forgotten = count;
    this.#gathered = new GatheredRows(this.#sim);
    this.#members = new LiveMembers(this.#sim, this.#title, this.#gathered);
    this.#isStale = true;
    this.#nextState = 0;
    const isBack = itsWorld === world && last >= count && last <= count + journal.length;
    this.#last = isBack ? last : count;
    if (!isBack) return this.#event("run", this.#members.begin());
    this.#gathered.skip(journal.entries.slice(0, last - count));
    return undefined;
  }

  /** Returns the events of what changed since the last time. */
  #changed({ resources }: GatheredRows): string {
    const members = this.#members as LiveMembers;
    const state = members.changed(this.#isClosed);
    const changed = members.resources(resources.takeChanged());
    const { journal } = this.#engine;
    // A clock that runs moves when it is read, and this is no news.
    this.#isStale = members.behindUntil !== undefined || this.#last < journal.forgotten.count + journal.length;
    this.#nextState = Math.max(realTime() + this.#betweenStates, members.behindUntil ?? 0);
    return [
      changed.length === 0 ? "" : this.#event("resources", changed),
      Object.keys(state).length === 0 ? "" : this.#event("state", state),
    ].join("");
  }

  #event<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): string {
    return eventText(name, data, `${this.#tag}.${this.#world}.${this.#last}`);
  }
}

function tagOf(sim: Simulator): string {
  const tag = tags.get(sim) ?? randomBytes(6).toString("base64url");
  tags.set(sim, tag);
  return tag;
}
