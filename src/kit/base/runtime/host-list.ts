import { CentavoError } from "../errors/centavo-error.ts";
import { inWords } from "../errors/in-words.ts";

/** Hosts that somebody has named, each with or without a port. */
export class HostList {
  readonly #named = new Set<string>();

  /**
   * @param option what takes the list, for the message
   * @throws {CentavoError} `INVALID_OPTION` for an entry that is neither a host name nor an address
   */
  constructor(option: string, entries: unknown) {
    if (!Array.isArray(entries)) throw refused(option, `is ${inWords(entries)}`);
    for (const entry of entries as readonly unknown[]) {
      const address = typeof entry === "string" ? addressOfHost(entry) : undefined;
      if (address === undefined) throw refused(option, `has the entry ${inWords(entry)}`);
      const hasPort = /^[^:]*:\d+$|\]:\d+$/.test(String(entry));
      this.#named.add(nameIn(address) + (hasPort ? `:${portOf(address)}` : ""));
    }
  }

  has(address: URL): boolean {
    const name = nameIn(address);
    return this.#named.has(name) || this.#named.has(`${name}:${portOf(address)}`);
  }
}

/** Returns the address of a host, as a `Host` header or an option names it; undefined for anything that is more than a host and a port. */
export function addressOfHost(host: string): URL | undefined {
  const isBareIPv6 = /^[\da-f]*:[\da-f.]*:[\da-f:.]*$/i.test(host);
  if (!isBareIPv6 && !/^(?:[^\s/\\?#@%:[\]*,]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host)) return undefined;
  return URL.parse(`http://${isBareIPv6 ? `[${host}]` : host}`) ?? undefined;
}

/** A dot at the end of a name leads to the same host. */
function nameIn({ hostname }: URL): string {
  return hostname.replace(/\.$/, "");
}

function portOf({ port, protocol }: URL): string {
  return port === "" ? (protocol === "https:" ? "443" : "80") : port;
}

function refused(option: string, what: string): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `The option ${option} ${what}. It takes a list of host names or addresses, each with or without a port, such as ["centavo", "10.0.0.7:4010"].`,
  );
}
