import { answeringFor } from "../adapters/server.ts";
import type { Answering } from "../adapters/listen.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { createSimulator } from "../report/create-simulator.ts";
import { ControlProblem } from "./control/problem.ts";

/** The default world of a server, which need not be one of the payment service. */
export interface MainWorld {
  /** Undefined for the default world. */
  readonly name?: string;
  readonly sim: Simulator | undefined;
  /** The address that the world names in its answers, whatever address a client used; undefined for the one that was used. */
  readonly baseUrl?: string;
  readonly answering: Answering;
}

/** A named world of a server. */
export interface HostedWorld extends MainWorld {
  readonly name: string;
  readonly sim: Simulator;
  readonly baseUrl: string;
}

/** The options with which a client opens a world. */
export type WorldOptions = Pick<
  SimulatorOptions,
  "seed" | "now" | "clock" | "assumptions" | "credentials" | "webhookUrl"
>;

/** The worlds that a server answers for, besides its default one. */
export class HostedWorlds {
  readonly #url: string;
  readonly #worlds = new Map<string, HostedWorld>();

  /** @param url the server's address, below which each world has its own */
  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Opens a world.
   * @throws {ControlProblem} 409 when there is one with this name, and what `createSimulator` throws
   */
  open(name: string, options: WorldOptions): HostedWorld {
    if (this.#worlds.has(name))
      throw new ControlProblem(
        409,
        "INVALID_STATE",
        `There is a world named ${JSON.stringify(name)} already. DELETE /_centavo/worlds/${encodeURIComponent(name)} ends it.`,
      );
    const baseUrl = `${this.#url}/worlds/${name}`;
    const sim = createSimulator({ ...options, baseUrl });
    const world = { name, sim, baseUrl, answering: answeringFor(sim) };
    this.#worlds.set(name, world);
    return world;
  }

  /** @throws {ControlProblem} 404 when there is none with this name */
  get(name: string): HostedWorld {
    const world = this.#worlds.get(name);
    if (world !== undefined) return world;
    throw new ControlProblem(
      404,
      "NOT_FOUND",
      `There is no world named ${JSON.stringify(name.slice(0, 100))}, or it has expired. PUT /_centavo/worlds/${encodeURIComponent(name.slice(0, 100))} opens one.`,
    );
  }

  get all(): readonly HostedWorld[] {
    return [...this.#worlds.values()];
  }

  async end(name: string): Promise<void> {
    const { sim } = this.get(name);
    this.#worlds.delete(name);
    await sim.close();
  }

  async close(): Promise<void> {
    const worlds = this.all;
    this.#worlds.clear();
    await Promise.all(worlds.map(({ sim }) => sim.close()));
  }
}
