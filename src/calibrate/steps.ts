import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { isBasic } from "../kit/http/basic.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { isEndOf, routesUnder } from "./paths.ts";
import type { Values } from "./values.ts";

/** An exchange that a world can play. */
export interface Step {
  readonly exchange: Exchange;
  /** When it began, in milliseconds. */
  readonly at: number;
  /** Of a call: its path and query below the base address. */
  readonly path: string;
  /** Whether its recording shows no bearer token at all, so that the call may have had one: browsers leave it out of what they save. */
  readonly mayHideToken: boolean;
  /** The parsed JSON of the body that the service sent: the answer of a call, the request of a delivery; undefined for any other. */
  readonly document: unknown;
  /** That body as text. */
  readonly text: string | undefined;
}

/** An exchange that is not played, and why. */
export interface LeftOut {
  readonly source: string;
  readonly why: string;
}

/** Where the real service is. */
export interface Addresses {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
}

/** What can be played of some traffic. */
export interface Sorted {
  readonly steps: readonly Step[];
  readonly leftOut: readonly LeftOut[];
  readonly addresses: readonly string[];
}

type Routes = ReturnType<typeof routesUnder>;

/**
 * Sorts traffic by time, and leaves out what is none of the service.
 * @param values of assumptions, which may give the service other paths
 */
export function sortTraffic(exchanges: readonly Exchange[], given: Addresses, values: Values): Sorted {
  const leftOut: LeftOut[] = [];
  // A route without a fixed segment fits every call to anybody.
  const routes = routesUnder(values).filter(({ segments }) => segments.some((segment) => /\w/.test(segment)));
  const addresses = addressesOf(exchanges, given, routes);
  const withTokens = new Set(exchanges.filter(showsToken).map(fileOf));
  const seen = new Set<string>();
  const steps: Step[] = [];
  for (const exchange of exchanges) {
    const step = stepOf(exchange, addresses, !withTokens.has(fileOf(exchange)));
    if (typeof step === "string") {
      leftOut.push({ source: exchange.source, why: step });
      continue;
    }
    const { source: _, ...rest } = exchange;
    const same = JSON.stringify(rest);
    if (seen.has(same)) leftOut.push({ source: exchange.source, why: "It is there twice." });
    else steps.push(step);
    seen.add(same);
  }
  return { steps: steps.toSorted((left, right) => left.at - right.at), leftOut, addresses };
}

/** Returns how an exchange is played, or why it is not. */
function stepOf(exchange: Exchange, addresses: readonly string[], mayHideToken: boolean): Step | string {
  const { kind, request, answer, startedAt } = exchange;
  const at = OriginalDate.parse(startedAt);
  if (Number.isNaN(at)) return `Its time "${startedAt.slice(0, 40)}" is none.`;
  if (kind === "delivery")
    return { exchange, at, path: "", mayHideToken, document: parsed(request.body), text: request.body };
  const address = addresses.find((one) => isBelow(request.url, one));
  if (address === undefined) return `${shownAddress(request.url)} is of another service.`;
  if (answer === undefined) return "No answer came.";
  if (request.method === "OPTIONS") return "A CORS preflight (OPTIONS).";
  return {
    exchange,
    at,
    path: pathBelow(address, request.url),
    mayHideToken,
    document: parsed(answer.body),
    text: answer.body,
  };
}

function showsToken({ kind, request: { headers } }: Exchange): boolean {
  return kind === "call" && headers.some(([name, value]) => name === "authorization" && !isBasic(value));
}

/** Returns the file of an exchange, whose source is such as `shop.har, entry 3`. */
function fileOf({ source }: Exchange): string {
  return source.replace(/, entry \d+$/, "");
}

/** Returns the path and the query of a URL below the address of the service. */
export function pathBelow(address: string, url: string): string {
  const path = url.slice(address.length).replace(/#.*$/s, "");
  return path.startsWith("/") ? path : `/${path}`;
}

/** Whether a URL leads to the service at an address. */
export function isBelow(url: string, address: string): boolean {
  return url === address || (url.startsWith(address) && /^[/?#]/.test(url.slice(address.length)));
}

/** Returns the addresses of the service: those that are given, or else those below which most calls match its routes. */
function addressesOf(
  exchanges: readonly Exchange[],
  { baseUrl, authUrl }: Addresses,
  routes: Routes,
): readonly string[] {
  const given = [baseUrl, authUrl].filter((url) => url !== undefined).map((url) => url.replace(/\/+$/, ""));
  if (baseUrl !== undefined) return given;
  const votes = new Map<string, number>();
  for (const { kind, request } of exchanges) {
    const address = kind === "call" ? addressIn(request, routes) : undefined;
    if (address !== undefined) votes.set(address, (votes.get(address) ?? 0) + 1);
  }
  const found = [...votes].toSorted(([, left], [, right]) => right - left).map(([address]) => address);
  // The token service may have an address of its own. The longer comes first, because the shorter may be its beginning.
  return [...new Set([...given, ...found])].toSorted((left, right) => right.length - left.length);
}

/** Returns the base address of a call that matches a route of the service. */
function addressIn({ method, url }: Exchange["request"], routes: Routes): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  const segments = pathname.split("/").slice(1);
  const fits = routes
    .filter((route) => route.method === method && isEndOf(route.segments, segments))
    .toSorted((left, right) => right.segments.length - left.segments.length);
  const [route] = fits;
  if (route === undefined) return undefined;
  const prefix = segments.slice(0, segments.length - route.segments.length);
  return [origin, ...prefix].join("/");
}

/** Returns the JSON of a body; undefined for a body that is none. */
export function parsed(body: string | undefined): unknown {
  if (body === undefined || !/^\s*[[{"\d\-tfn]/.test(body)) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
