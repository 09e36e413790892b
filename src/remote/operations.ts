// `npm run docs` writes this file from the routes of the control API.
import type { ControlOperation } from "./operation.ts";

/** How each member of a remote simulator calls the control API. */
export const controlOperations: Readonly<Record<string, ControlOperation>> = {
  "clock.now": { method: "GET", path: "/clock", takes: [], gives: "now" },
  "clock.advance": { method: "POST", path: "/clock/advance", takes: ["duration"], gives: "", sends: "body" },
};
