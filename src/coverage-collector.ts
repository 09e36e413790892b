/** Importing this entry collects coverage in this thread: `node --import centavo/coverage-collector --test`. Reporters do it by themselves. */
export { collecting } from "./testing/coverage/collecting.ts";
