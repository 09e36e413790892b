/** Prints the milliseconds of processor time that an import takes in this process, which has imported nothing else. */
import { join } from "node:path";
import { microsecondsSince, root } from "./measure.ts";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";

const [name = ""] = process.argv.slice(2);
// MSW has its own folder here. As a user's file does, this one imports its ES modules.
const msw = pathToFileURL(createRequire(join(root, "installs/peers/msw-2/package.json")).resolve("msw/package.json"));
const specifier = name === "msw-2" ? new URL("./lib/node/index.mjs", msw).href : name;
const start = process.cpuUsage();
await import(specifier);
console.log(microsecondsSince(start) / 1000);
