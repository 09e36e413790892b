import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import type { Keeper } from "../../kit/engine/inputs.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { FollowedWorld } from "./followed-world.ts";
import { stateProblem } from "./problems.ts";
import { StateFile } from "./state-file.ts";
import { playStored } from "./stored-world.ts";

/** A replay of this many characters takes a few hundredths of a second. */
const SHORTEST_TAIL = 65_536;

/**
 * Opens a state file, or creates it. SQLite is loaded with the first.
 * @param shortestTail how many characters of inputs come before a new snapshot replaces them; more in a larger world
 * @throws {CentavoError} `INVALID_OPTION` for a file that is not ours, is damaged, is in use, cannot be written, or is of a newer version
 */
export function openState(path: string, shortestTail = SHORTEST_TAIL): State {
  return new State(new StateFile(path), shortestTail);
}

/**
 * The worlds of a server in a file that outlives the process. Every input of a world is in the file before an answer or an event leaves the
 * world. Power loss is another matter: the file is then whole, but may lack the last inputs.
 */
export class State {
  readonly #file: StateFile;
  readonly #shortestTail: number;
  readonly #followed = new Map<string, FollowedWorld>();
  /** The worlds that the next commit writes. */
  #waiting = new Set<FollowedWorld>();
  #commit: Promise<void> | undefined;
  #isClosed = false;

  constructor(file: StateFile, shortestTail: number) {
    this.#file = file;
    this.#shortestTail = shortestTail;
  }

  /** The names of the worlds in the file, and what each was followed with. */
  get worlds(): ReadonlyMap<string, unknown> {
    return this.#file.worlds();
  }

  /**
   * Brings a new simulator to where a world of the file was, and follows it.
   * @throws {CentavoError} what `play` throws
   */
  async restore(name: string, sim: Simulator): Promise<void> {
    await this.play(name, sim);
    this.follow(name, this.worlds.get(name), sim);
  }

  /**
   * Brings a new simulator to where a world of the file was. The file stays as it is. Deliveries that were in flight are still to be made,
   * and calls without an answer are gone.
   * @param sim a simulator with the options of the world; another base URL is allowed
   * @throws {CentavoError} `NOT_FOUND`, `INVALID_OPTION` when the world cannot be played
   */
  async play(name: string, sim: Simulator): Promise<void> {
    if (!this.worlds.has(name))
      throw new CentavoError("NOT_FOUND", `The state file ${this.#file.path} has no world "${name}".`);
    try {
      const stored = await playStored(this.#file.textsOf(name));
      sim.restore(stored.snapshot());
    } catch (error) {
      throw stateProblem("INVALID_OPTION", this.#file.path, error);
    }
  }

  /**
   * Writes a world that the file does not have, and from now on every input of it.
   * @param options what is needed to open the world again: plain JSON
   * @param sim a new simulator, a fork, or one that was used before
   * @throws {CentavoError} `INVALID_STATE` when the file cannot be written
   */
  follow(name: string, options: unknown, sim: Simulator): void {
    const world = new FollowedWorld({ name, options, sim, shortestTail: this.#shortestTail });
    this.#writeWorlds(new Set([world]));
    this.#unfollow(name);
    this.#followed.set(name, world);
    world.follow(this.#keeperOf(world));
  }

  /**
   * Removes a world from the file, and no longer follows it.
   * @throws {CentavoError} `INVALID_STATE` when the file cannot be written; the world is followed as before
   */
  forget(name: string): void {
    this.#write(() => this.#file.forget(name));
    this.#unfollow(name);
  }

  /** Writes a snapshot of every world, and frees the file. Does nothing when called again. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const worlds = [...this.#followed.values()];
    for (const world of worlds) world.catchUp();
    for (const name of this.#followed.keys()) this.#unfollow(name);
    try {
      this.#write(() => {
        for (const world of worlds) world.writeSnapshot(this.#file);
      });
    } finally {
      this.#file.close();
    }
  }

  #unfollow(name: string): void {
    const world = this.#followed.get(name);
    if (world === undefined) return;
    world.unfollow();
    this.#followed.delete(name);
    this.#waiting.delete(world);
  }

  #keeperOf(world: FollowedWorld): Keeper {
    return {
      keep: () => this.#writeWorlds(new Set([world])),
      kept: () => {
        this.#waiting.add(world);
        // The calls of one turn of the event loop share a commit, which takes longer than a call.
        return (this.#commit ??= this.#commitWaiting());
      },
    };
  }

  async #commitWaiting(): Promise<void> {
    await nextMacrotask();
    const worlds = this.#waiting;
    this.#waiting = new Set();
    this.#commit = undefined;
    this.#writeWorlds(worlds);
  }

  #writeWorlds(worlds: ReadonlySet<FollowedWorld>): void {
    // What a closed file holds is complete.
    if (worlds.size === 0) return;
    this.#write(() => {
      for (const world of worlds) world.write(this.#file);
    });
    for (const world of worlds) world.committed();
  }

  #write(work: () => void): void {
    try {
      this.#file.inTransaction(work);
    } catch (error) {
      throw stateProblem("INVALID_STATE", this.#file.path, error);
    }
  }
}
