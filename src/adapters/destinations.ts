import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { namesOf, narrowed } from "./candidates.ts";
import { idsInAddress, textsInBody, textsInHeaders } from "./clues.ts";
import { droppingFor } from "./dropped-requests.ts";
import { type CheckedRules, isBelow, isDropped, isMatched } from "./host-rules.ts";
import { refuse } from "./refusals.ts";
import type { Reason } from "./refusals.ts";
import { SharedAddress } from "./shared-address.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";

/** A base URL of a service, which answers requests to this URL and below. */
export interface Base {
  /** Origin and path, for messages. */
  readonly address: string;
  readonly url: URL;
  /** The URL's path without a trailing slash; empty when the service has the whole origin. */
  readonly path: string;
  readonly service: Required<Pick<Service, "beginCall">> & Pick<Service, "onClose">;
}

/** A base URL of one service. */
export type BaseOfService = Omit<Base, "service"> & { readonly service: Service };

/** Where a request goes: to a service, to the real network, or nowhere. */
export type Destination =
  | { readonly kind: "service"; readonly service: Required<Pick<Service, "beginCall">> }
  | { readonly kind: "outside" }
  | ({ readonly kind: "refused" } & Reason);

export const outside: Destination = { kind: "outside" };

/** Returns the bases of a service: one if the token service shares the API's address, otherwise two. */
export function basesOf(service: Service): BaseOfService[] {
  const api = baseAt(service.baseUrl, service);
  const auth = baseAt(service.authUrl, service);
  return api.address === auth.address ? [api] : [api, auth];
}

function baseAt(written: string, service: Service): BaseOfService {
  const url = URL.parse(written);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CentavoError(
      "INVALID_URL",
      `The baseUrl or authUrl of a simulated service is "${written}". Both take an http(s) URL such as "https://api.pay.example".`,
    );
  }
  const path = url.pathname.replace(/\/$/, "");
  return { address: url.origin + path, url, path, service };
}

/**
 * Returns where a request to this URL goes. If several bases match, the longest path wins, so a service at `https://pay.example/v2` can
 * share the origin with one at `https://pay.example`. Services come before the merchants' apps that are connected to them.
 */
export function destinationOf(
  url: URL,
  bases: readonly Base[],
  services: readonly Service[],
  rules: CheckedRules,
): Destination {
  // `data:` and `blob:` stay inside the process, and the platform refuses other schemes.
  if (!/^https?:$/.test(url.protocol)) return outside;
  let match: Base | undefined;
  let sameOrigin: Base | undefined;
  for (const base of bases) {
    if (base.url.origin !== url.origin) continue;
    sameOrigin = base;
    if (covers(base, url.pathname) && (match === undefined || base.path.length > match.path.length)) match = base;
  }
  if (match !== undefined) return { kind: "service", service: match.service };
  const owners = services.filter(({ origins }) => origins?.includes(url.origin));
  if (owners.length > 0) return { kind: "service", service: appsOf(owners) };
  if (isDropped(url, rules)) return { kind: "service", service: droppingFor(services) };
  if (isMatched(url, rules.allowed)) return outside;
  if (sameOrigin !== undefined) {
    const reason = `only ${sameOrigin.address} and the paths below it are simulated`;
    return { kind: "refused", reason, allowable: true };
  }
  if (isLoopback(url.hostname)) return outside;
  return { kind: "refused", ...notSimulated(bases) };
}

/** The apps that worlds have connected at one origin. If there are several, a request goes to the app of the world that it identifies. */
function appsOf(owners: readonly Service[]): Required<Pick<Service, "beginCall">> {
  return {
    beginCall: () => async (request) => {
      const [only, ...others] = owners;
      const owner = others.length === 0 ? (only as Service) : await ownerOf(request, owners);
      // A program that calls the app is not the customer, whose cookies a visit would send.
      const call = new Request(request, { credentials: "omit" });
      return (owner.visit as NonNullable<Service["visit"]>)(call);
    },
  };
}

async function ownerOf(request: Request, owners: readonly Service[]): Promise<Service> {
  const candidates = owners.map((service) => ({ service }));
  const url = new URL(request.url);
  let left = narrowed(candidates, [...textsInHeaders(request.headers), ...idsInAddress(url)]);
  if (left.length > 1) left = narrowed(left, await textsInBody(request));
  const [owner, ...others] = left;
  if (owner !== undefined && others.length === 0) return owner.service;
  const why = `more than one world has an app at ${url.origin}, and nothing in the request tells which is meant`;
  const wayOut = "Call the app of one world by its sim.visit(), or connect each app at an origin of its own";
  throw refuse(request.method, url, left, { reason: `${why}: ${namesOf(left)}. ${wayOut}` });
}

/**
 * Several worlds may share an address if each can be identified.
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` for services at the same address that cannot
 */
export function refuseSharedAddresses(call: string, bases: readonly BaseOfService[]): void {
  for (const { address, service } of bases) {
    if (service.identity !== undefined) continue;
    if (!bases.some((other) => other.address === address && other.service !== service)) continue;
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      `${call}: another service already answers ${address}, and only simulators can share an address. ` +
        "Close the other one first, or give this service a different baseUrl (and authUrl).",
    );
  }
}

/**
 * Merges the bases at each address. The contents of a request then decide between the worlds.
 * @param bases in the order in which they were opened
 */
export function mergedBases(bases: readonly BaseOfService[]): Base[] {
  const byAddress = new Map<string, { readonly base: BaseOfService; readonly services: Set<Service> }>();
  for (const base of bases) {
    const same = byAddress.get(base.address) ?? { base, services: new Set() };
    same.services.add(base.service);
    byAddress.set(base.address, same);
  }
  return Array.from(byAddress.values(), ({ base, services }) => ({
    ...base,
    service: new SharedAddress(base.address, [...services]),
  }));
}

/** Says why a host is out of reach. */
export function notSimulated(bases: readonly Base[]): Reason {
  const simulated = bases.map(({ address }) => address).join(", ");
  return { reason: `it is neither a loopback address nor simulated (${simulated} is)`, allowable: true };
}

/** Whether a path at the base's origin belongs to the service. */
export function covers(base: Pick<Base, "path">, pathname: string): boolean {
  if (isBelow(pathname, base.path)) return true;
  // RFC 8414 puts the metadata of an issuer with a path before that path.
  const wellKnown = /^\/\.well-known\/[^/]+(\/.*)?$/s.exec(pathname);
  return wellKnown !== null && (wellKnown[1] ?? "") === base.path;
}
