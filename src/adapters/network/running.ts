import type { Service } from "../../kit/http/callable-service.ts";
import type { Candidate } from "../candidates.ts";
import {
  type Base,
  type BaseOfService,
  covers,
  type Destination,
  destinationOf,
  mergedBases,
  outside,
} from "../destinations.ts";
import { Call, callBefore, type CallsOfInterception } from "./calls.ts";
import { type ConnectTarget, leadsTo } from "./connect.ts";

/** What the interception of one service added. */
export interface Interception {
  readonly service: Service;
  readonly bases: readonly BaseOfService[];
  readonly allowed: readonly (URL | RegExp)[];
  readonly calls: CallsOfInterception;
}

/** The interceptions of this process that run now, and what they answer together. */
class RunningInterceptions {
  readonly #running = new Set<Interception>();
  services: readonly Service[] = [];
  bases: readonly Base[] = [];
  allowed: readonly (URL | RegExp)[] = [];

  get size(): number {
    return this.#running.size;
  }

  get basesOfServices(): readonly BaseOfService[] {
    return [...this.#running].flatMap((interception) => interception.bases);
  }

  get candidates(): readonly Candidate[] {
    return this.services.map((service) => ({ service }));
  }

  add(interception: Interception): void {
    this.#running.add(interception);
    this.#refresh();
  }

  /** Returns false for one that was removed before. */
  remove(interception: Interception): boolean {
    const isRemoved = this.#running.delete(interception);
    this.#refresh();
    return isRemoved;
  }

  find(url: URL): Destination {
    if (this.size === 0) return outside;
    return destinationOf(url, this.bases, this.services, this.allowed);
  }

  /** Whether a connection leads to the address of a service or of a connected app. */
  answersAt(target: ConnectTarget): boolean {
    return (
      this.bases.some((base) => leadsTo(target, base.url)) ||
      this.services.some(({ origins = [] }) => origins.some((origin) => leadsTo(target, new URL(origin))))
    );
  }

  /** Whether `allow` lets everything through to the host of a connection. */
  allows(target: ConnectTarget): boolean {
    return this.allowed.some((entry) => entry instanceof URL && entry.pathname === "/" && leadsTo(target, entry));
  }

  /**
   * Begins a call. It belongs to the interceptions that answer at its address, or to all of them if each would refuse it.
   * @param breakOff fails a call that has not reached its service
   * @returns undefined for a call that goes to the network
   */
  begin(method: string, url: URL, breakOff?: (error: Error) => void): Call | undefined {
    const before = callBefore();
    if (before?.isLate === true) return new Call(method, url, before.owners, breakOff);
    const { kind } = this.find(url);
    if (kind === "outside") return undefined;
    const all = [...this.#running];
    const own = all.filter(({ bases }) =>
      bases.some((base) => base.url.origin === url.origin && covers(base, url.pathname)),
    );
    const calls = (own.length === 0 ? all : own).map((interception) => interception.calls);
    // Another tool may answer a call that is refused here.
    return new Call(method, url, calls, kind === "service" ? breakOff : undefined);
  }

  #refresh(): void {
    this.services = [...new Set([...this.#running].map(({ service }) => service))];
    this.bases = mergedBases(this.basesOfServices);
    this.allowed = [...this.#running].flatMap((interception) => interception.allowed);
  }
}

export const running = new RunningInterceptions();
