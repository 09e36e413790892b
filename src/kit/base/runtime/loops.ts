import { endsWithin } from "./real-time.ts";

const { setInterval, clearInterval } = globalThis;

/** How often the thread shows that it yields, in milliseconds of real time. */
const BETWEEN_BEATS = 100;
/**
 * The places of the memory that the threads share: how often the watched one has yielded, the limit in beats or one of the states below, and
 * whether what was interrupted took time of the processor.
 */
const [BEATS, LIMIT, WORKED] = [0, 1, 2];
/** No limit, or what became of it: the watched thread is about to be interrupted, or was. */
const [NONE, INTERRUPTING, INTERRUPTED] = [0, -1, -2];

/** How many times longer code may be silent that takes no time of the processor: it waits for something, or on a busy machine for its turn. */
const PATIENCE = 3;
/** The part of the time of a processor that a process takes which only waits. A loop takes more, even on a busy machine. */
const IDLE = 0.02;
/** How many turns of the watching thread an interrupted thread has to show that it yields, before it is interrupted again. */
const TURNS_TO_YIELD = 5;
/** How long an interruption may take, in milliseconds of real time. */
const LONGEST_INTERRUPTION = 5000;

/**
 * The program of the watching thread. It counts its own turns and the processor's time, so a process that was suspended, or that waits for
 * the processor, is not taken for a loop. A loop is interrupted in two steps. For one turn `isInterrupting` is true, which ends callbacks
 * that pass on themselves for ever. Then V8 ends the running JavaScript of the watched thread, which goes on with the next task of its event
 * loop. That may be the next callback of the same loop, so both are repeated until the thread yields.
 */
const WATCH = `
const { workerData: shared, parentPort } = require("node:worker_threads");
const { Session } = require("node:inspector/promises");
let last = 0;
let turns = 0;
let worked = 0;
let before = process.cpuUsage();
let session;
setInterval(() => {
  const [beats, limit] = [Atomics.load(shared, ${BEATS}), Atomics.load(shared, ${LIMIT})];
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const isSilent = limit !== ${NONE} && beats === last;
  turns = isSilent ? turns + 1 : 0;
  worked = isSilent ? worked + Math.min(1, (user + system) / ${BETWEEN_BEATS * 1000}) : 0;
  last = beats;
  if (limit === ${INTERRUPTING}) {
    if (session === undefined && isSilent) terminate();
    else if (session === undefined) tell();
  } else if (limit === ${INTERRUPTED}) {
    if (turns > ${TURNS_TO_YIELD}) Atomics.compareExchange(shared, ${LIMIT}, limit, ${INTERRUPTING});
  } else if (isSilent && (worked >= limit || turns >= limit * ${PATIENCE})) {
    Atomics.store(shared, ${WORKED}, Number(worked > turns * ${IDLE}));
    Atomics.compareExchange(shared, ${LIMIT}, limit, ${INTERRUPTING});
  }
}, ${BETWEEN_BEATS});
async function terminate() {
  session = new Session();
  session.connectToMainThread();
  await allowEndOfCallbacks().catch(() => {});
  await session.post("Runtime.terminateExecution").catch(() => {});
  session.disconnect();
  session = undefined;
  tell();
}
// Node aborts a process in which V8 has ended a callback of process.nextTick, queueMicrotask or an AsyncResource, unless it was started with
// --no-force-async-hooks-checks. Nothing public has the effect of that flag later on. This sets the field that the flag sets, and lets Node
// forget in which callbacks it is.
async function allowEndOfCallbacks() {
  const expression = "process.getBuiltinModule('node:async_hooks').AsyncResource.prototype.runInAsyncScope";
  const { result } = await session.post("Runtime.evaluate", { expression });
  const { objectId } = await variableOf(await variableOf(result, "emitAfter"), "async_wrap");
  const functionDeclaration = "function () { this.async_hook_fields[this.constants.kCheck] = 0; this.clearAsyncIdStack(); }";
  await session.post("Runtime.callFunctionOn", { objectId, functionDeclaration });
}
async function variableOf(closure, name) {
  const { internalProperties } = await propertiesOf(closure);
  const scopes = internalProperties.find((each) => each.name === "[[Scopes]]");
  for (const scope of (await propertiesOf(scopes.value)).result) {
    const found = (await propertiesOf(scope.value)).result.find((each) => each.name === name);
    if (found !== undefined) return found.value;
  }
  throw new Error("There is no variable " + name + ".");
}
function propertiesOf({ objectId }) {
  return session.post("Runtime.getProperties", { objectId, ownProperties: true });
}
function tell() {
  turns = 0;
  Atomics.store(shared, ${LIMIT}, ${INTERRUPTED});
  Atomics.notify(shared, ${LIMIT});
  parentPort.postMessage("interrupted");
}
`;

interface Watching {
  readonly shared: Int32Array;
  /** Called once an interruption is over. */
  onInterrupted: () => void;
}

/** What this thread shares with the thread that watches it. That one is started once, because it takes longer than a short exam. */
let watching: Watching | undefined;

/**
 * Ends JavaScript of this thread that does not yield to the event loop for so long, such as a loop without an end. Whatever ran then never
 * goes on, nor does what awaited it.
 * @param milliseconds of real time
 * @param onInterrupted called each time, once the thread yields again, with whether that JavaScript took time of the processor
 * @returns a function that ends the watch, and resolves once no interruption is under way; undefined where loops cannot be interrupted: in a
 * browser, under a debugger, and in a thread
 */
export function interruptLoops(
  milliseconds: number,
  onInterrupted: (hasWorked: boolean) => void,
): (() => Promise<void>) | undefined {
  const inspector = globalThis.process?.getBuiltinModule?.("node:inspector");
  const isMain = globalThis.process?.getBuiltinModule?.("node:worker_threads")?.isMainThread ?? false;
  if (
    !isMain ||
    typeof inspector?.Session?.prototype?.connectToMainThread !== "function" ||
    inspector.url() !== undefined
  )
    return undefined;
  try {
    watching ??= startWatching();
  } catch {
    // Such as a process that may start no threads.
    return undefined;
  }
  const watch = watching;
  const { shared } = watch;
  const limit = Math.ceil(milliseconds / BETWEEN_BEATS);
  const over = Promise.withResolvers<void>();
  let hasStopped = false;
  const beat = (): void => {
    Atomics.add(shared, BEATS, 1);
    // The interruption may still be to come. It then ends this very wait, and the watching thread tells of it later.
    Atomics.wait(shared, LIMIT, INTERRUPTING, BETWEEN_BEATS);
    if (Atomics.compareExchange(shared, LIMIT, INTERRUPTED, hasStopped ? NONE : limit) !== INTERRUPTED) return;
    // Node forgets an interval whose callback was interrupted.
    if (hasStopped) over.resolve();
    else beating.refresh();
    onInterrupted(Atomics.load(shared, WORKED) === 1);
  };
  watch.onInterrupted = beat;
  Atomics.store(shared, LIMIT, limit);
  const beating = setInterval(beat, BETWEEN_BEATS);
  beating.unref();
  return async () => {
    hasStopped = true;
    clearInterval(beating);
    // An interruption that is still to come would end what comes next.
    const isOver =
      Atomics.compareExchange(shared, LIMIT, limit, NONE) === limit ||
      (await endsWithin(over.promise, LONGEST_INTERRUPTION));
    // It would hold everything that this watch was for.
    if (isOver && watch.onInterrupted === beat) watch.onInterrupted = doNothing;
  };
}

/** Whether a loop is being interrupted, or was and is still to be told of. */
export function isInterrupting(): boolean {
  return watching !== undefined && Atomics.load(watching.shared, LIMIT) < NONE;
}

function startWatching(): Watching {
  const { Worker } = globalThis.process.getBuiltinModule("node:worker_threads");
  const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const started: Watching = { shared, onInterrupted: doNothing };
  const worker = new Worker(WATCH, {
    eval: true,
    workerData: shared,
    // A flag such as --import must not load the program of the tests once more.
    execArgv: [],
    env: {},
  });
  worker.on("message", () => started.onInterrupted());
  worker.on("error", () => (watching = undefined));
  worker.unref();
  return started;
}

function doNothing(): void {}
