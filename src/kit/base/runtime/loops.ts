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
const IDLE = 0.05;
/** How long an interruption may take, in milliseconds of real time. */
const LONGEST_INTERRUPTION = 5000;

/**
 * The program of the watching thread. It counts its own turns and the processor's time, so a process that was suspended, or that waits for
 * the processor, is not taken for a loop. V8 ends the running JavaScript of the watched thread, which goes on with the next task of its event
 * loop.
 */
const WATCH = `
const { workerData: shared, parentPort } = require("node:worker_threads");
const { Session } = require("node:inspector");
let last = 0;
let turns = 0;
let worked = 0;
let before = process.cpuUsage();
setInterval(() => {
  const [beats, limit] = [Atomics.load(shared, ${BEATS}), Atomics.load(shared, ${LIMIT})];
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const isSilent = limit > 0 && beats === last;
  turns = isSilent ? turns + 1 : 0;
  worked = isSilent ? worked + Math.min(1, (user + system) / ${BETWEEN_BEATS * 1000}) : 0;
  last = beats;
  if (!isSilent || (worked < limit && turns < limit * ${PATIENCE})) return;
  Atomics.store(shared, ${WORKED}, Number(worked > turns * ${IDLE}));
  turns = worked = 0;
  if (Atomics.compareExchange(shared, ${LIMIT}, limit, ${INTERRUPTING}) !== limit) return;
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => {
    session.disconnect();
    Atomics.store(shared, ${LIMIT}, ${INTERRUPTED});
    Atomics.notify(shared, ${LIMIT});
    parentPort.postMessage("interrupted");
  });
}, ${BETWEEN_BEATS});
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
