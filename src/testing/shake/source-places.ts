import { absolutePath } from "../../kit/base/runtime/files.ts";
import type { SourcePlace } from "./test-record.ts";

/** How many places of an error are kept. */
const MOST_PLACES = 10;

/** The folder of Centavo's own code, where it is not in `node_modules`; its frames say nothing about a test. */
const own = ownFolder();

/** Returns the places of a stack in the user's own code, the innermost first. */
export function placesOf(stack: unknown): readonly SourcePlace[] {
  if (typeof stack !== "string") return [];
  return framesOf(stack)
    .filter(({ file }) => !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file))
    .filter(({ file }) => own === undefined || !file.startsWith(own))
    .slice(0, MOST_PLACES);
}

/** Frames enough to see where a chain of calls begins. */
const MANY_FRAMES = 50;

/** Returns the places in the user's own code that lead to the caller, also where they are far away. */
export function placesOfCallers(): readonly SourcePlace[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = MANY_FRAMES;
  try {
    return placesOf(new Error("A place in the code").stack);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the user's file in which the chain of calls to the caller begins. */
export function callersFile(): string | undefined {
  return placesOfCallers().at(-1)?.file;
}

/** Reads frames such as `at pays (file:///shop/test/pay.test.ts:12:7)`. */
function framesOf(stack: string): readonly SourcePlace[] {
  return stack.split("\n").flatMap((text) => {
    const frame = text.trim();
    if (!frame.startsWith("at ")) return [];
    const place = frame.endsWith(")") ? frame.slice(frame.lastIndexOf("(") + 1, -1) : frame.slice("at ".length);
    const [line, column] = place.split(":").slice(-2).map(Number);
    if (!Number.isInteger(line) || !Number.isInteger(column)) return [];
    const address = place
      .split(":")
      .slice(0, -2)
      .join(":")
      .replace(/^async /, "");
    const [path = ""] = address.split("?", 1);
    return [{ file: path.startsWith("file:") ? absolutePath(path) : path, line: line as number }];
  });
}

function ownFolder(): string | undefined {
  const [here] = framesOf(new Error("A place in the code").stack ?? "");
  if (here === undefined) return undefined;
  return folderAbove(here.file);
}

/**
 * Returns the folder of Centavo's code, by where this module lies in it; undefined where the module lies elsewhere, such as in a bundle
 * with the user's own code.
 */
export function folderAbove(file: string): string | undefined {
  const [, folder] = /^(.*[\\/])testing[\\/]shake[\\/]source-places\.[cm]?[jt]s$/.exec(file) ?? [];
  // Modules of both kinds may be loaded.
  return folder?.replace(/([\\/]dist[\\/])(?:esm|cjs)[\\/]$/, "$1");
}
