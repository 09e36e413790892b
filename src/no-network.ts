/** Importing this entry keeps the process from the network: only loopback addresses and allowed hosts stay reachable, between tests too. */
export { blocked } from "./testing/blocked-network.ts";
export { blockNetwork } from "./adapters/network/block-network.ts";
export type { BlockedNetwork, BlockNetworkOptions } from "./adapters/network/block-network.ts";
