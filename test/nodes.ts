import { join } from "node:path";

const runtimes = join(import.meta.dirname, "../installs/runtimes");

/** The versions of Node that are supported, by the path of their program. */
export const nodes = {
  "the pinned Node": process.execPath,
  "the lowest Node": join(runtimes, "lowest/node_modules/.bin/node"),
  "the newest Node": join(runtimes, "newest/node_modules/.bin/node"),
};
