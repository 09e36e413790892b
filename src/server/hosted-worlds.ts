import type { Answering } from "../adapters/listen.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { wallTime } from "../kit/base/runtime/real-time.ts";
import type { Service } from "../kit/http/callable-service.ts";
import type { HostList } from "../kit/base/runtime/host-list.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { Fault, SimulatorOptions } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { ControlProblem, notKept } from "./control/problem.ts";
import type { State } from "./state/state.ts";
import { optionsOf } from "./options-of-world.ts";
import { differenceOf } from "./world-difference.ts";
import type { CheckedLimits } from "./world-limits.ts";

/** The default world of a server, which need not be one of the payment service. */
export interface MainWorld {
  /** Undefined for the default world. */
  readonly name?: string;
  readonly sim: Simulator | undefined;
  readonly service: Service;
  /** The address that the world names in its answers, whatever address a client used; undefined for the one that was used. */
  readonly baseUrl?: string;
  readonly answering: Answering;
}

/** A named world of a server. */
export interface HostedWorld extends MainWorld {
  readonly name: string;
  readonly sim: Simulator;
  readonly baseUrl: string;
  /** As they were given. */
  readonly options: WorldOptions;
}

/** The options with which a client opens a world. */
export interface WorldOptions extends Pick<
  SimulatorOptions,
  "seed" | "now" | "clock" | "assumptions" | "credentials" | "webhookUrl"
> {
  /** The faults that are planned from the beginning. */
  readonly faults?: readonly Fault[];
}

/** What `HostedWorlds` needs. */
export interface HostedWorldsOptions {
  /** The server's address, below which each world has its own. */
  readonly url: string;
  /** The seed of the default world, from which the worlds without a seed draw theirs. */
  readonly seed: string | undefined;
  readonly limits: CheckedLimits;
  readonly webhookHosts: HostList;
  /** The file that outlives the server; undefined when its worlds end with it. */
  readonly state: State | undefined;
}

/** A world, and what ends it when nobody uses it. */
interface Hosting {
  readonly world: HostedWorld;
  users: number;
  stopWaiting: () => void;
  /** Whether it stays however long nobody uses it. */
  readonly stays?: boolean;
}

const NO_SERVICE =
  "This world belongs to a test in another process, whose calls it repeats. It takes no others; a fork of it does.\n";

/** The worlds that a server answers for, besides its default one. */
export class HostedWorlds {
  readonly #options: HostedWorldsOptions;
  readonly #worlds = new Map<string, Hosting>();
  readonly #listeners = new Set<() => void>();
  #forks = 0;

  constructor(options: HostedWorldsOptions) {
    this.#options = options;
  }

  /**
   * Opens a world, or returns the one that was opened with the same name and options.
   * @throws {ControlProblem} 409 when there is one with other options, 503 when there are too many; and what `createSimulator` throws
   */
  open(name: string, options: WorldOptions): { readonly world: HostedWorld; readonly isNew: boolean } {
    if (this.#worlds.has(name)) {
      const { world, leave } = this.use(name);
      leave();
      const difference = differenceOf(world.options, options);
      if (difference === undefined) return { world, isNew: false };
      throw new ControlProblem(
        409,
        "INVALID_STATE",
        `There is a world named "${name}" with other options: ${difference}. DELETE /_centavo/worlds/${name} ends it.`,
      );
    }
    return { world: this.#add(() => this.#create(name, options)), isNew: true };
  }

  /**
   * Opens a world with a copy of another.
   * @param original the other one, without a name if it is the default world
   * @param name its name; by default a free one that begins like the other's, so that a proxy finds both in one place
   * @param options.connect whether the copy shares the connections of the original
   * @throws {ControlProblem} 409 when there is a world with this name, 503 when there are too many
   */
  fork(
    original: { readonly name?: string | undefined; readonly sim: Simulator },
    name = this.#nameOfFork(original.name),
    options: { readonly connect?: boolean } = {},
  ): HostedWorld {
    if (this.#worlds.has(name))
      throw new ControlProblem(
        409,
        "INVALID_STATE",
        `There is a world named "${name}" already. DELETE /_centavo/worlds/${name} ends it.`,
      );
    return this.#add(() => {
      const baseUrl = this.#addressOf(name);
      const sim = original.sim.forkAt(baseUrl, options);
      return { name, sim, service: sim, baseUrl, answering: answeringOf(sim), options: optionsOf(sim) };
    });
  }

  /** Opens a world if there is room for it, and keeps it in the state file. */
  #add(create: () => HostedWorld): HostedWorld {
    const { most } = this.#options.limits;
    if (this.#worlds.size >= most)
      throw new ControlProblem(
        503,
        "TOO_MANY_WORLDS",
        `This server has ${most} worlds, which is its limit. End one with DELETE /_centavo/worlds/{name}, or start the server with more: --worlds, or the option worlds.most.`,
      );
    const world = create();
    try {
      this.#options.state?.follow(world.name, world.options, world.sim);
    } catch (error) {
      // A clock that runs would go on.
      void world.sim.close();
      throw notKept(error);
    }
    this.#host(world);
    return world;
  }

  /**
   * Hosts a simulator that goes through what happens in another, and ends no sooner than `end` says so. It answers no call of the service,
   * which would lead it astray. There must be no world with this name.
   */
  adopt(name: string, sim: Simulator): void {
    const { baseUrl } = sim;
    const answering = { answer: async () => new Response(NO_SERVICE, { status: 409 }) };
    this.#host({ name, sim, service: sim, baseUrl, answering, options: optionsOf(sim) }, true);
  }

  #nameOfFork(origin = "default"): string {
    const [family = origin] = origin.split(".");
    do this.#forks += 1;
    while (this.#worlds.has(`${family}.fork-${this.#forks}`));
    return `${family}.fork-${this.#forks}`;
  }

  #addressOf(name: string): string {
    return `${this.#options.url}/worlds/${name}`;
  }

  /**
   * Brings back a world of a state file, which does not follow it yet.
   * @throws {CentavoError} `INVALID_OPTION`
   */
  async restore(name: string, options: WorldOptions, state: State): Promise<void> {
    const world = this.#create(name, options);
    try {
      await state.play(name, world.sim);
    } catch (error) {
      await world.sim.close();
      throw error;
    }
    this.#host(world);
  }

  find(name: string): HostedWorld | undefined {
    return this.#worlds.get(name)?.world;
  }

  /** @throws {ControlProblem} 404 when there is none with this name */
  get(name: string): HostedWorld {
    return this.#hostingOf(name).world;
  }

  /**
   * Uses a world, which does not end meanwhile.
   * @returns the world, and the function to call afterwards
   * @throws {ControlProblem} 404 when there is none with this name
   */
  use(name: string): { readonly world: HostedWorld; readonly leave: () => void } {
    const hosting = this.#hostingOf(name);
    hosting.users += 1;
    hosting.stopWaiting();
    const leave = (): void => {
      hosting.users -= 1;
      if (hosting.users === 0) this.#awaitUse(hosting);
    };
    return { world: hosting.world, leave };
  }

  /** How many rows each of them may have. */
  get mostRows(): number {
    return this.#options.limits.rows;
  }

  get all(): readonly HostedWorld[] {
    return Array.from(this.#worlds.values(), ({ world }) => world);
  }

  /** Calls back after a world was opened or has ended. Returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends a world, also in the state file. */
  async end(name: string): Promise<void> {
    this.#hostingOf(name);
    try {
      this.#options.state?.forget(name);
    } catch (error) {
      throw notKept(error);
    }
    await this.#close(name);
  }

  /** Closes all worlds. Those of a state file stay there. */
  async close(): Promise<void> {
    await Promise.all([...this.#worlds.keys()].map((name) => this.#close(name)));
  }

  async #close(name: string): Promise<void> {
    const hosting = this.#hostingOf(name);
    this.#worlds.delete(name);
    this.#tellChange();
    hosting.stopWaiting();
    await hosting.world.sim.close();
  }

  #host(world: HostedWorld, stays = false): void {
    const hosting: Hosting = { world, users: 0, stopWaiting: () => undefined, stays };
    this.#worlds.set(world.name, hosting);
    this.#awaitUse(hosting);
    this.#tellChange();
  }

  #tellChange(): void {
    for (const listener of this.#listeners) listener();
  }

  #hostingOf(name: string): Hosting {
    const hosting = this.#worlds.get(name);
    if (hosting !== undefined) return hosting;
    const shown = JSON.stringify(name.slice(0, 100));
    throw new ControlProblem(
      404,
      "NOT_FOUND",
      `There is no world named ${shown}, or it has expired. PUT /_centavo/worlds/{name} opens one.`,
    );
  }

  #create(name: string, { faults = [], ...options }: WorldOptions): HostedWorld {
    const { seed = "", limits, webhookHosts } = this.#options;
    const baseUrl = this.#addressOf(name);
    const { keep } = limits;
    const own = `${options.seed ?? seed}/${name}`;
    // Two worlds with one seed have the same ids, but no secrets with which one opens the other.
    const { merchantId: _, ...secrets } = createSimulator({ seed: own }).credentials;
    const credentials = { ...secrets, ...options.credentials };
    const sim = createSimulator({ seed: own, keep, ...options, credentials, baseUrl });
    sim.internals.connections.alsoReach(webhookHosts);
    for (const fault of faults) sim.faults.add(fault);
    return { name, sim, service: sim, baseUrl, answering: answeringOf(sim), options: { ...options, faults } };
  }

  /** Ends a world that nobody uses for long enough. */
  #awaitUse(hosting: Hosting): void {
    const { name } = hosting.world;
    if (this.#worlds.get(name) !== hosting || hosting.stays === true) return;
    // A world that the state file could not forget goes on, and says why.
    const expire = (): void => void this.end(name).catch((error: unknown) => warnProcess(messageOf(error)));
    hosting.stopWaiting = wallTime.startTimer(this.#options.limits.idle, expire, false);
  }
}

function answeringOf(sim: Simulator): Answering {
  return {
    answer: (request) => sim.beginCall()(request),
    refuse: (problem) => sim.refuse(problem),
  };
}
