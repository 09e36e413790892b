import type { ListedWorld, WorldClock } from "../../report/live-run.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { eventText, Feed } from "../control/event-stream.ts";
import type { HostedWorlds } from "../hosted-worlds.ts";
import { aboutWorld } from "./about-worlds.ts";

/** How much real time passes between two looks at the worlds, in milliseconds. */
const BETWEEN_LOOKS = 500;
/** How many worlds that have ended stay in the list. */
const MOST_ENDED = 100;

/** What it lists. */
export interface ListedWorlds {
  /** The default world, if it is a simulator. */
  readonly main: Simulator | undefined;
  readonly worlds: HostedWorlds;
}

/** Sends the list of a server's worlds, whole, as the event `worlds`, whenever it has changed. */
export class WorldsFeed extends Feed {
  readonly #listed: ListedWorlds;
  readonly #stopListening: () => void;
  #last: readonly ListedWorld[] = [];
  #sent = "";

  constructor(listed: ListedWorlds) {
    super();
    this.#listed = listed;
    this.#stopListening = listed.worlds.onChange(() => this.wake());
  }

  override get patience(): number {
    return BETWEEN_LOOKS;
  }

  override next(): string | undefined {
    const { main, worlds } = this.#listed;
    const open = [
      ...(main === undefined ? [] : [worldOf("", main)]),
      ...worlds.all.map(({ name, sim }) => worldOf(name, sim)),
    ];
    const names = new Set(open.map(({ name }) => name));
    const ended = this.#last.flatMap((world) =>
      names.has(world.name) ? [] : [{ ...world, isEnded: true, isGone: true }],
    );
    this.#last = [...open, ...ended.slice(-MOST_ENDED)];
    // The time of a clock that runs is no news.
    const comparable = JSON.stringify(
      this.#last.map(({ now, ...world }) => (world.clock.factor === undefined ? { now, ...world } : world)),
    );
    if (comparable === this.#sent) return undefined;
    this.#sent = comparable;
    return eventText("worlds", this.#last);
  }

  override stop(): void {
    this.#stopListening();
    super.stop();
  }
}

function worldOf(name: string, sim: Simulator): ListedWorld {
  const { journal } = sim.internals.parts.engine;
  return {
    name,
    path: name === "" ? "" : `/worlds/${encodeURIComponent(name)}`,
    title: aboutWorld(sim).title ?? (name === "" ? "default world" : name),
    now: sim.clock.now(),
    entries: journal.forgotten.count + journal.length,
    clock: clockOf(sim),
    isEnded: aboutWorld(sim).isEnded === true,
    isGone: false,
  };
}

function clockOf(sim: Simulator): WorldClock {
  const { horizon, factor } = sim.internals.settings;
  const { ownedBecause } = aboutWorld(sim);
  const runs = factor === undefined ? {} : { factor };
  if (ownedBecause !== undefined) return { isMovedBy: "test", reason: ownedBecause, ...runs };
  return { isMovedBy: factor === undefined && horizon === undefined ? "page" : "time", ...runs };
}
