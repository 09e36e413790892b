import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");

/** Collects garbage at once: all of it, or with `{ type: "minor" }` only what is young. */
export const collectGarbage = runInNewContext("gc") as (options?: { readonly type: "minor" }) => void;
