import { asyncMoment } from "../../kit/base/runtime/async-context.ts";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
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
import type { CheckedRules } from "../host-rules.ts";
import type { CallsOfInterception } from "./calls.ts";
import { type ConnectTarget, leadsTo } from "./connect.ts";

/** What the interception of one service added. */
export interface Interception {
  readonly service: Service;
  readonly bases: readonly BaseOfService[];
  readonly rules: CheckedRules;
  readonly calls: CallsOfInterception;
}

/** What is kept of an interception that has ended. */
interface Ended {
  readonly calls: CallsOfInterception;
  readonly at: number;
  /** The name of the world that it led to. */
  readonly world: string | undefined;
}

/** The interceptions of this process that run now, and what they answer together. */
class RunningInterceptions {
  /** Each with the moment at which it began. */
  readonly #interceptions = new Map<Interception, number>();
  /** The last interception that has ended at each origin, and when it did. */
  readonly #ended = new Map<string, Ended>();
  /** Whether another tool listens to requests, too. */
  othersListen: () => boolean = () => false;
  services: readonly Service[] = [];
  bases: readonly Base[] = [];
  rules: CheckedRules = { allowed: [], dropped: [] };

  get size(): number {
    return this.#interceptions.size;
  }

  get basesOfServices(): readonly BaseOfService[] {
    return [...this.#interceptions.keys()].flatMap((interception) => interception.bases);
  }

  get candidates(): readonly Candidate[] {
    return this.services.map((service) => ({ service }));
  }

  add(interception: Interception): void {
    this.#interceptions.set(interception, asyncMoment());
    this.#refresh();
  }

  /** Returns false for one that was removed before. */
  remove(interception: Interception): boolean {
    if (!this.#interceptions.delete(interception)) return false;
    this.#refresh();
    const { calls, service } = interception;
    const ended = { calls, at: asyncMoment(), world: service.identity?.name };
    for (const { origin } of calls.urls) this.#ended.set(origin, ended);
    return true;
  }

  find(url: URL): Destination {
    if (this.size === 0) return outside;
    return destinationOf(url, this.bases, this.services, this.rules);
  }

  /** Whether a connection leads to the address of a service or of a connected app, or to a host of the option `drop`. */
  answersAt(target: ConnectTarget): boolean {
    return (
      this.rules.dropped.some((entry) => entry instanceof URL && leadsTo(target, entry)) ||
      this.bases.some((base) => leadsTo(target, base.url)) ||
      this.services.some(({ origins = [] }) => origins.some((origin) => leadsTo(target, new URL(origin))))
    );
  }

  /** Whether `allow` lets everything through to the host of a connection. */
  allows(target: ConnectTarget): boolean {
    return this.rules.allowed.some((entry) => entry instanceof URL && entry.pathname === "/" && leadsTo(target, entry));
  }

  /** Whether some request to an answered address may go to the network: of this machine, or by `allow`. */
  mayLetThrough(target: ConnectTarget): boolean {
    const { allowed } = this.rules;
    return isLoopback(target.host) || allowed.some((entry) => entry instanceof RegExp || leadsTo(target, entry));
  }

  /** Whether a connection that has come to the network was let through, and not by another tool unless `allow` names its host. */
  letsThrough(target: ConnectTarget): boolean {
    return this.size > 0 && (!this.othersListen() || this.allows(target));
  }

  /** Returns the name of the world to which the last interception at an address led, or undefined if none has ended there. */
  endedAt(target: ConnectTarget): string | undefined {
    const ended = [...this.#ended].find(([origin]) => leadsTo(target, new URL(origin)))?.[1];
    return ended === undefined ? undefined : (ended.world ?? "an interception");
  }

  /** The calls of every interception. */
  get calls(): readonly CallsOfInterception[] {
    return Array.from(this.#interceptions.keys(), ({ calls }) => calls);
  }

  /**
   * Returns the calls of the interceptions that answer at an address.
   * @param moment leaves out those that began later (`asyncMoment`)
   */
  callsAt(url: URL, moment: number): readonly CallsOfInterception[] {
    return [...this.#interceptions].flatMap(([interception, began]) =>
      began < moment && answers(interception, url) ? interception.calls : [],
    );
  }

  /** Returns the calls of the last interception at an address, if it has ended since a moment. */
  endedSince(moment: number, { origin }: URL): CallsOfInterception | undefined {
    const ended = this.#ended.get(origin);
    return ended !== undefined && moment < ended.at ? ended.calls : undefined;
  }

  #refresh(): void {
    this.services = [...new Set([...this.#interceptions.keys()].map(({ service }) => service))];
    this.bases = mergedBases(this.basesOfServices);
    const rules = Array.from(this.#interceptions.keys(), (interception) => interception.rules);
    this.rules = {
      allowed: rules.flatMap(({ allowed }) => allowed),
      dropped: rules.flatMap(({ dropped }) => dropped),
    };
  }
}

function answers({ bases, service }: Interception, url: URL): boolean {
  return (
    bases.some((base) => base.url.origin === url.origin && covers(base, url.pathname)) ||
    service.origins?.includes(url.origin) === true
  );
}

export const running = new RunningInterceptions();
