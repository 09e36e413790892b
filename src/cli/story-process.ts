import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decideExit, holdExit } from "../kit/base/runtime/unfinished-work.ts";
import type { Assignment, Tell, Told } from "./story-messages.ts";

/** What marks a process as one of these. */
const OURS = "centavo-stories";
/** How long a process has to end once its work is done, in milliseconds of real time. */
const LAST_WAIT = 5000;
const BETWEEN_LOOKS = 250;
/** How many bytes a process may print. They lie on the disk until its stories have ended. */
const MOST_PRINTED = 64 * 1024 * 1024;

/** The first message to a process. */
interface Order {
  /** What proves that a message comes from this file, because the code of stories never sees it. */
  readonly word: string;
  readonly assignment: Assignment;
}

/** How a process ended. */
export interface ProcessEnd {
  /** Why it ended before its work was done; absent if it was done. */
  readonly why?: string;
  /** What it had printed since the last `printed`. */
  readonly printed: string;
}

/** A process that plays the stories of a file. */
export interface StoryProcess {
  /** Resolves when the process is gone. */
  readonly ended: Promise<ProcessEnd>;
  /** Returns what it printed since the last call, up to so many bytes of the whole. */
  printed(until: number): string;
  /** Ends the story under way, and the process after its cleanups. The second call ends it at once. */
  stop(): void;
  /** Ends the process at once. */
  kill(): void;
  /** Ends the process in a while, unless it ends before. */
  expectEnd(): void;
}

/** Starts a process that plays the stories of a file. */
export function startStoryProcess(assignment: Assignment, onTold: (told: Told) => void): StoryProcess {
  const word = randomUUID();
  const output = openNameless();
  const child = fork(fileURLToPath(import.meta.url), [OURS], {
    // Node would print these between the timelines, for each process anew.
    execArgv: [
      ...process.execArgv,
      "--disable-warning=ExperimentalWarning",
      "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON",
    ],
    stdio: ["ignore", output, output, "ipc"],
  });
  const send = (message: object): void => void child.send(message, () => undefined);
  send({ word, assignment } satisfies Order);

  const { patience } = assignment.options;
  let why: string | undefined;
  let isDone = false;
  let lastSign = performance.now();
  const kill = (because?: string): void => {
    why ??= because;
    child.kill("SIGKILL");
  };
  const looking = setInterval(() => {
    if (performance.now() - lastSign > patience + LAST_WAIT)
      kill(
        `it blocked its process for ${(patience + LAST_WAIT) / 1000} s of real time. It may loop without end; if it is only slow, give it more with --timeout <seconds>`,
      );
    if (fstatSync(output).size > MOST_PRINTED) kill(`it printed more than ${MOST_PRINTED / 1024 / 1024} MB`);
  }, BETWEEN_LOOKS);
  child.on("message", (message: { readonly word?: unknown; readonly told: Told } | null) => {
    if (message?.word !== word) return;
    lastSign = performance.now();
    if (message.told.kind === "broken off") why ??= message.told.why;
    else if (message.told.kind === "done") isDone = true;
    else onTold(message.told);
  });

  let read = 0;
  const printed = (until: number): string => {
    const bytes = Buffer.alloc(Math.max(0, until - read));
    read += readSync(output, bytes, 0, bytes.length, read);
    return bytes.toString("utf8");
  };
  let lastWait: NodeJS.Timeout | undefined;
  let isStopped = false;
  const expectEnd = (): void => void (lastWait ??= setTimeout(kill, LAST_WAIT));
  return {
    ended: once(child, "exit").then(([code, signal]: (number | string | null)[]) => {
      clearInterval(looking);
      clearTimeout(lastWait);
      const rest = printed(fstatSync(output).size);
      closeSync(output);
      if (why === undefined && isDone) return { printed: rest };
      return { why: why ?? endOf(code, signal), printed: rest };
    }),
    printed,
    stop: () => {
      if (isStopped) kill();
      isStopped = true;
      send({ stop: word });
      expectEnd();
    },
    kill,
    expectEnd,
  };
}

function endOf(code: number | string | null | undefined, signal: number | string | null | undefined): string {
  if (typeof signal !== "string") return `its process ended with the exit code ${String(code)}`;
  const memory = ["SIGABRT", "SIGKILL", "SIGTRAP"].includes(signal) ? ", perhaps because its memory ran out" : "";
  return `${signal} ended its process${memory}`;
}

/** Opens a file to which a process can print, and which is gone when all have closed it. */
function openNameless(): number {
  const path = join(tmpdir(), `centavo-${randomUUID()}`);
  const opened = openSync(path, "wx+", 0o600);
  rmSync(path);
  return opened;
}

/** The part of this file that runs in the process. */
async function work(send: NonNullable<NodeJS.Process["send"]>): Promise<void> {
  const exit = process.exit.bind(process);
  const [{ word, assignment }] = (await once(process, "message")) as [Order];
  // Code that looks for a process above it, such as a process manager, finds none.
  delete process.send;
  const stopped = Promise.withResolvers<void>();
  process
    .on("message", (message: { readonly stop?: unknown } | null) => {
      if (message?.stop === word) stopped.resolve();
    })
    .on("disconnect", () => exit(1))
    // A terminal interrupts every process, and the command says what follows.
    .on("SIGINT", () => undefined);
  const tell: Tell = (told) => new Promise((resolve) => void send({ word, told }, () => resolve()));
  enableCompileCache();
  const release = holdExit({
    brokenOff: (cause) => cause,
    tell: (why) => void tell({ kind: "broken off", why }),
  });
  const { playStories } = await import("./play-stories.ts");
  await playStories(assignment, tell, stopped.promise);
  decideExit(0);
  release();
  exit(0);
}

if (process.argv[2] === OURS && process.send !== undefined) await work(process.send.bind(process));
