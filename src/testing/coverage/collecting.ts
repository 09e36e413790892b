import { collect } from "./collector.ts";

/** Stops the collection that importing this module started. */
export const collecting = { stop: collect() };
