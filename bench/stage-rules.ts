/** A function that was running, or that called it. */
export interface Frame {
  readonly name: string;
  /** The file; empty for those of the engine, such as the garbage collector. */
  readonly url: string;
}

/**
 * The stages of a flow, and the files of each. The innermost file that one of them names decides, so that what a file asks Node or a library
 * to do counts as its own.
 */
const files = {
  "the machines' steps (XState and its declarations)":
    /node_modules\/xstate\/|src\/engine\/(lifecycle|machine)\.ts|machine\.ts$/,
  "the caller: its requests, and reading the answers": /bench\/flow\.ts$|src\/client\//,
  "the receiver of webhooks": /bench\/subscribed-world\.ts$/,
  "the merchant's program": /examples\/|src\/(testing\/process\/|runtime\/listener)/,
  "the exam: its stories, laws and evidence": /src\/exam\//,
  "the adapter: interception of fetch, or Node's server": /src\/adapters\/|node_modules\/@mswjs\//,
  "webhooks: events, signatures, attempts": /src\/webhooks\//,
  "reading and checking the request":
    /src\/http\/(call-reader|request|body|validation|basic|router|addresses|idempotency)|src\/service\/(fields|auth)|node_modules\/zod\//,
  "faults, pace and queues of calls": /src\/http\/(call-|fault|held|pace|rate|policies|network)/,
  "the answer": /src\/http\//,
  "rows, look-ups and units of work":
    /src\/engine\/(table|layered-map|row|undo-log|lifecycle-rows|block-list|slot-set|history|engine)/,
  "timers and the clock": /src\/engine\/(timer|clock|alarms|auto-driver|waits|pending|duration)/,
  "the journal and its inputs": /src\/engine\/(journal|inputs|written-entries|newest)/,
  "the rules of the service": /src\/service\//,
  "simulators: to open, fork and close them": /src\/simulator\//,
  "the rest of Centavo": /src\//,
} as const satisfies Record<string, RegExp>;

export type Stage =
  | keyof typeof files
  | "the garbage collector"
  | "fetch, in turns of its own"
  | "libraries, in turns of their own"
  | "Node itself";

const rules = Object.entries(files) as [keyof typeof files, RegExp][];

/** Returns the stage of a stack whose innermost frame comes first, or undefined while nothing ran but the profiler. */
export function stageOf(frames: readonly Frame[]): Stage | undefined {
  const [innermost] = frames;
  if (innermost?.name === "(idle)" || frames.some(({ url }) => url === "node:inspector")) return undefined;
  if (innermost?.name === "(garbage collector)") return "the garbage collector";
  for (const { url } of frames) {
    const rule = rules.find(([, pattern]) => pattern.test(url));
    if (rule !== undefined) return rule[0];
  }
  if (frames.some(({ url }) => url.includes("undici"))) return "fetch, in turns of its own";
  return frames.some(({ url }) => url.includes("node_modules")) ? "libraries, in turns of their own" : "Node itself";
}
