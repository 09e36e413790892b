import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { textOf } from "../kit/base/errors/thrown-values.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";

/** Names requests: an origin, a URL with a path, or a regular expression for the whole URL. */
export type HostPattern = string | URL | RegExp;

/** Hosts that stay reachable. */
export type AllowedHost = HostPattern;

/** What happens to requests that are to no service. */
export interface HostRules {
  /**
   * Hosts that stay reachable besides loopback addresses and Unix sockets. A URL such as `"https://other.example"` covers its path and
   * everything below; a regular expression is tested against the whole URL of a request.
   */
  readonly allow?: readonly AllowedHost[];
  /**
   * Hosts whose requests are answered with an empty 204 and never leave, such as those of telemetry. No test fails for them. Entries are
   * those of `allow`; a host of both is dropped. An address of this machine is dropped only if a URL names it.
   */
  readonly drop?: readonly HostPattern[];
}

/** Rules that were checked. */
export interface CheckedRules {
  readonly allowed: readonly (URL | RegExp)[];
  readonly dropped: readonly (URL | RegExp)[];
}

/** An address whose requests belong to a service. */
interface Address {
  readonly address: string;
  readonly url: URL;
  readonly path: string;
}

/**
 * Checks the options `allow` and `drop`. A host name without a scheme would silently match nothing.
 * @param call the function that takes them, for messages
 * @param bases the addresses of the services, which cannot be dropped
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function checkRules(
  call: string,
  { allow = [], drop = [] }: HostRules,
  bases: readonly Address[],
): CheckedRules {
  const rules = { allowed: checkHosts(call, "allow", allow), dropped: checkHosts(call, "drop", drop) };
  for (const { address, url, path } of bases) {
    const entry = rules.dropped.find((pattern) =>
      pattern instanceof RegExp
        ? isMatched(url, [pattern])
        : pattern.origin === url.origin && (isBelow(path, pathOf(pattern)) || isBelow(pathOf(pattern), path)),
    );
    if (entry === undefined) continue;
    throw new CentavoError(
      "INVALID_OPTION",
      `${call}: ${quoted(entry)} in "drop" covers ${address}, where the simulator answers, so its payments would be dropped. Name only hosts of other services.`,
    );
  }
  return rules;
}

/** @throws {CentavoError} `INVALID_OPTION` */
function checkHosts(call: string, option: string, entries: readonly HostPattern[]): readonly (URL | RegExp)[] {
  if (!Array.isArray(entries)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `${call}: "${option}" takes a list, as in { ${option}: ["https://other.example"] }, and got ${inWords(entries)}.`,
    );
  }
  return entries.map((entry) => {
    if (entry instanceof RegExp) return entry;
    const text = typeof entry === "string" ? entry : textOf(entry);
    // A WebSocket begins as a request of HTTP.
    const url = URL.parse(text.replace(/^ws(?=s?:)/i, "http"));
    const problem = problemWith(url);
    if (url !== null && problem === undefined) return url;
    throw new CentavoError(
      "INVALID_OPTION",
      `${call}: "${text.includes("//") ? shownAddress(text) : text}" in "${option}" ${problem}, or use a regular expression.`,
    );
  });
}

/** Says why an entry would not match what it seems to. */
function problemWith(url: URL | null): string | undefined {
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'is not a URL. Write the scheme too, as in "https://other.example"';
  if (url.href.includes("*"))
    return 'has a "*", which stands for nothing else here. A URL covers its path and everything below: write each host';
  if (url.href !== url.origin + url.pathname)
    return "names more than a host and a path, and nothing else is compared. Leave out the rest";
  return undefined;
}

/** Whether one of these entries matches a URL. */
export function isMatched(url: URL, entries: readonly (URL | RegExp)[]): boolean {
  return entries.some((entry) => {
    if (entry instanceof RegExp) return url.href.search(entry) !== -1;
    return entry.origin === url.origin && isBelow(url.pathname, pathOf(entry));
  });
}

/** Whether requests to a URL are dropped. A socket tells no path, so an expression cannot decide about addresses of this machine. */
export function isDropped(url: URL, { dropped }: CheckedRules): boolean {
  return isMatched(url, isLoopback(url.hostname) ? dropped.filter((entry) => entry instanceof URL) : dropped);
}

/** Whether a path is another, or below it. @param path without a slash at its end */
export function isBelow(pathname: string, path: string): boolean {
  return path === "" || pathname === path || pathname.startsWith(`${path}/`);
}

function pathOf({ pathname }: URL): string {
  return pathname.replace(/\/$/, "");
}

function quoted(entry: URL | RegExp): string {
  return entry instanceof RegExp ? String(entry) : `"${entry.href}"`;
}
