import type { LookupFunction } from "node:net";
import { isLoopback } from "./loopback.ts";

/**
 * Finds the address of a name as Node does, and refuses one that is not of this machine. The socket connects to the very address that was
 * looked at, so a resolver cannot answer otherwise the second time.
 */
export const lookupOnThisMachine: LookupFunction = (hostname, options, callback) => {
  const dns = globalThis.process.getBuiltinModule("node:dns");
  dns.lookup(hostname, options, (error, found: string | readonly { readonly address: string }[], family) => {
    const addresses = typeof found === "string" ? [found] : (found ?? []).map(({ address }) => address);
    const foreign = error === null ? addresses.find((address) => !isLoopback(address)) : undefined;
    if (foreign === undefined) return callback(error, found as string, family);
    callback(new Error(`the name ${hostname} leads to ${foreign}, which is not an address of this machine`), "");
  });
};
