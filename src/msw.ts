/** Handlers for a `setupServer` or `setupWorker` of your own; runs in Node and in browsers. */
export { handlers } from "./adapters/msw.ts";
