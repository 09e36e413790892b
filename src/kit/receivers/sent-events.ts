import { keepNewest } from "../engine/newest.ts";
import type { MerchantApp } from "./merchant-app.ts";

/**
 * How many events of one world each receiver remembers. The first ones are enough, because a world that repeats another begins with the
 * same events.
 */
const MOST_OF_A_WORLD = 1000;
/** How many events each receiver remembers. */
const MOST_OF_A_RECEIVER = 20_000;
const MOST_ORIGINS = 100;

/** Represents a world that sends events. It holds nothing of the world itself, which may have ended. */
export class SendingWorld {
  /** How many of its events each receiver remembers. A world warns about each receiver at most once. */
  readonly remembered = new WeakMap<SentEvents, number>();
  readonly warned = new WeakSet<SentEvents>();
}

/** Which world sent each event to one receiver, by event id. */
class SentEvents {
  readonly #worlds = new Map<string, SendingWorld>();

  /** Records an event. Returns true the first time that another world has sent the same id. */
  repeats(event: string, world: SendingWorld): boolean {
    const earlier = this.#worlds.get(event);
    if (earlier === world) return false;
    const count = world.remembered.get(this) ?? 0;
    if (earlier !== undefined || count < MOST_OF_A_WORLD) {
      world.remembered.set(this, count + 1);
      this.#worlds.delete(event);
      this.#worlds.set(event, world);
    }
    keepNewest(this.#worlds, MOST_OF_A_RECEIVER);
    if (earlier === undefined || world.warned.has(this)) return false;
    world.warned.add(this);
    return true;
  }
}

/** Weak, because an app outlives the simulators that it is connected to. */
const ofApps = new WeakMap<object, SentEvents>();
const ofOrigins = new Map<string, SentEvents>();

/**
 * Records that a world sends an event.
 * @param receiver the app, or the origin of a server that is not connected
 * @returns true the first time that this world sends what another world has already sent there
 */
export function repeatsAnEvent(receiver: MerchantApp | string, event: string, world: SendingWorld): boolean {
  return eventsOf(receiver).repeats(event, world);
}

function eventsOf(receiver: MerchantApp | string): SentEvents {
  const known = typeof receiver === "string" ? ofOrigins.get(receiver) : ofApps.get(receiver);
  if (known !== undefined) return known;
  const sent = new SentEvents();
  if (typeof receiver !== "string") {
    ofApps.set(receiver, sent);
    return sent;
  }
  ofOrigins.set(receiver, sent);
  keepNewest(ofOrigins, MOST_ORIGINS);
  return sent;
}
