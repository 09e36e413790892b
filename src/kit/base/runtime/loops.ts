const { setInterval, clearInterval } = globalThis;

/** How often the thread shows that it yields, in milliseconds of real time. */
const BETWEEN_BEATS = 100;
/** The places of the memory that the watching thread shares: how often the watched one has yielded, the limit in beats, and interruptions. */
const [BEATS, LIMIT, INTERRUPTIONS] = [0, 1, 2];

/** How many times longer code may be silent that takes no time of the processor: on a busy machine it only waits for its turn. */
const PATIENCE = 6;

/**
 * The program of the watching thread. It counts its own turns and the processor's time, so a process that was suspended, or that waits for
 * the processor, is not taken for a loop. V8 ends the running JavaScript of the watched thread, which goes on with the next task of its event
 * loop.
 */
const WATCH = `
const { workerData: shared } = require("node:worker_threads");
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
  turns = worked = 0;
  Atomics.add(shared, ${INTERRUPTIONS}, 1);
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}, ${BETWEEN_BEATS});
`;

/** What the watching thread of this thread shares with it. The thread is started once, because that takes longer than a short exam. */
let watching: Int32Array | undefined;

/**
 * Ends JavaScript of this thread that does not yield to the event loop for so long, such as a loop without an end.
 * @param milliseconds of real time
 * @param onInterrupted called once the thread yields again
 * @returns a function that ends the watch; undefined where loops cannot be interrupted: in a browser, under a debugger, and in a thread
 */
export function interruptLoops(milliseconds: number, onInterrupted: () => void): (() => void) | undefined {
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
  const shared = watching;
  const before = Atomics.load(shared, INTERRUPTIONS);
  let isTold = false;
  const beat = (): void => {
    Atomics.add(shared, BEATS, 1);
    if (isTold || Atomics.load(shared, INTERRUPTIONS) === before) return;
    isTold = true;
    onInterrupted();
  };
  beat();
  Atomics.store(shared, LIMIT, Math.max(2, Math.ceil(milliseconds / BETWEEN_BEATS)));
  const beating = setInterval(beat, BETWEEN_BEATS);
  beating.unref();
  return () => {
    Atomics.store(shared, LIMIT, 0);
    clearInterval(beating);
  };
}

function startWatching(): Int32Array {
  const { Worker } = globalThis.process.getBuiltinModule("node:worker_threads");
  const shared = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(WATCH, {
    eval: true,
    workerData: shared,
    // A flag such as --import must not load the program of the tests once more.
    execArgv: [],
    env: {},
  });
  worker.on("error", () => (watching = undefined));
  worker.unref();
  return shared;
}
