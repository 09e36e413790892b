/** Handlers for your own `setupServer` or `setupWorker`, in Node and in browsers. */
export { handlers } from "./adapters/msw.ts";
