import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { url as inspectorUrl } from "node:inspector";
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { decideExit, holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { CapturedOutput } from "./captured-output.ts";
import type { OfStreams } from "./captured-output.ts";
import type { Assignment, Send, StoryMessage } from "./story-messages.ts";

/** The argument that marks a process as one of these. */
const ROLE = "centavo-stories";
/** How long a process has to end once its work is done, in milliseconds of real time. */
const LAST_WAIT = 5000;
const BETWEEN_LOOKS = 250;
/** How many bytes a process may print. They lie on the disk until its stories have ended. */
const MOST_PRINTED = 64 * 1024 * 1024;

/** The first message to a process of stories. */
interface Start {
  readonly kind: "start";
  /** Proves that a message comes from this file, because the code of stories never sees it. */
  readonly secret: string;
  readonly assignment: Assignment;
}

/** A message to a process of stories. */
type Order = Start | { readonly kind: "stop"; readonly secret: string };

/** A message from such a process. */
interface Envelope {
  readonly secret: string;
  readonly message: StoryMessage;
}

/** How a process ended, and what it had printed since the last `printed`. */
export interface ProcessEnd extends OfStreams<string> {
  /** Why it ended before its work was done; absent if it was done. */
  readonly reason?: string;
}

/** A process that plays the stories of a file. */
export interface StoryProcess {
  /** Resolves when the process is gone. */
  readonly ended: Promise<ProcessEnd>;
  /** Returns what it printed since the last call, up to so many bytes of the whole. */
  printed(until: OfStreams<number>): OfStreams<string>;
  /** Ends the story under way, and the process after its cleanups. The second call ends it at once. */
  stop(): void;
  /** Ends the process at once. */
  kill(): void;
  /** Ends the process in a while, unless it ends before. */
  expectEnd(): void;
}

/** Starts a process that plays the stories of a file. */
export function startStoryProcess(assignment: Assignment, onMessage: (message: StoryMessage) => void): StoryProcess {
  const secret = randomUUID();
  const output = new CapturedOutput();
  const { stdout, stderr } = output.descriptors;
  const child = fork(fileURLToPath(import.meta.url), [ROLE], {
    execArgv: [
      ...process.execArgv,
      // Node would print these between the timelines, for each process anew.
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
      // The port of this process's debugger is taken.
      ...(inspectorUrl() === undefined ? [] : ["--inspect-port=0"]),
    ],
    stdio: ["ignore", stdout, stderr, "ipc"],
  });
  const send = (order: Order): void => void child.send(order, () => undefined);
  send({ kind: "start", secret, assignment });

  const { patience } = assignment.options;
  let reason: string | undefined;
  let isDone = false;
  let heardAt = performance.now();
  const kill = (because?: string): void => {
    reason ??= because;
    child.kill("SIGKILL");
  };
  const looking = setInterval(() => {
    if (performance.now() - heardAt > patience + LAST_WAIT)
      kill(
        `it blocked its process for ${(patience + LAST_WAIT) / 1000} s of real time. It may loop without end; if it is only slow, give it more with --timeout <seconds>`,
      );
    if (output.size > MOST_PRINTED) kill(`it printed more than ${MOST_PRINTED / 1024 / 1024} MB`);
  }, BETWEEN_LOOKS);
  child.on("message", (envelope: Partial<Envelope> | null) => {
    if (envelope?.secret !== secret || envelope.message === undefined) return;
    const { message } = envelope;
    heardAt = performance.now();
    if (message.kind === "aborted") reason ??= message.reason;
    else if (message.kind === "done") isDone = true;
    else onMessage(message);
  });

  let lastWait: NodeJS.Timeout | undefined;
  let isStopped = false;
  const expectEnd = (): void => void (lastWait ??= setTimeout(kill, LAST_WAIT));
  return {
    ended: once(child, "exit").then(([code, signal]: (number | string | null)[]) => {
      clearInterval(looking);
      clearTimeout(lastWait);
      const printed = output.read();
      output.close();
      if (reason === undefined && isDone) return printed;
      return { ...printed, reason: reason ?? endInWords(code, signal) };
    }),
    printed: (until) => output.read(until),
    stop: () => {
      if (isStopped) kill();
      isStopped = true;
      send({ kind: "stop", secret });
      expectEnd();
    },
    kill,
    expectEnd,
  };
}

function endInWords(code: number | string | null | undefined, signal: number | string | null | undefined): string {
  if (typeof signal !== "string") return `its process ended with the exit code ${String(code)}`;
  const memory = ["SIGABRT", "SIGKILL", "SIGTRAP"].includes(signal) ? ", perhaps because its memory ran out" : "";
  return `${signal} ended its process${memory}`;
}

/** The part of this file that runs in the process. */
async function work(sendToCommand: NonNullable<NodeJS.Process["send"]>): Promise<void> {
  const exit = process.exit.bind(process);
  const started = Promise.withResolvers<Start>();
  const stopped = Promise.withResolvers<void>();
  let start: Start | undefined;
  process
    .on("message", (order: Order | null) => {
      if (start === undefined && order?.kind === "start") started.resolve((start = order));
      else if (order?.kind === "stop" && order.secret === start?.secret) stopped.resolve();
    })
    .on("disconnect", () => exit(1))
    // A terminal interrupts every process, and the command says what follows.
    .on("SIGINT", () => undefined);
  // Code that looks for a process above it, such as a process manager, finds none, and cannot cut this one off.
  Reflect.deleteProperty(process, "send");
  Reflect.deleteProperty(process, "disconnect");
  const { secret, assignment } = await started.promise;
  const send: Send = (message) =>
    new Promise((resolve) => void sendToCommand({ secret, message } satisfies Envelope, () => resolve()));
  enableCompileCache();
  const release = holdExit({
    brokenOff: (cause) => cause,
    tell: (reason) => void send({ kind: "aborted", reason }),
  });
  try {
    const { playStories } = await import("./play-stories.ts");
    await playStories(assignment, send, stopped.promise);
  } catch (error) {
    await send({ kind: "aborted", reason: messageOf(error) });
  }
  decideExit(0);
  release();
  exit(0);
}

if (process.argv[2] === ROLE && process.send !== undefined) await work(process.send.bind(process));
