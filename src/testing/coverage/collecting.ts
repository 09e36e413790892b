import { collect } from "./collector.ts";

/** Ends the collection that importing this module began. */
export const collecting = { stop: collect() };
