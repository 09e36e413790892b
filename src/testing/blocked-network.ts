import { blockNetwork } from "../adapters/network/block-network.ts";
import { ALLOWED_VARIABLE } from "./allowed-hosts.ts";

/** What importing this module has blocked. */
export const blocked = blockNetwork({
  allow: JSON.parse(globalThis.process.env[ALLOWED_VARIABLE] ?? "[]") as readonly string[],
});
