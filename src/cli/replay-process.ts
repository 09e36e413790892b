import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { printable } from "../kit/base/errors/printable.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { withoutTroubles } from "../exam/token.ts";
import type { Verdict } from "../exam/verdict.ts";
import type { Examination } from "./exam-search.ts";

/** The argument that marks a process as one of these. */
const ROLE = "centavo-replay";

/** How much of what a process prints to standard error is kept, in characters. */
const MOST_SAID = 100_000;

/** How long its last words may take to arrive, in milliseconds of real time. */
const LAST_WORDS = 5000;

/** What came of a story. */
export interface Replayed {
  readonly outcome: Verdict["outcome"] | "could not run";
  /** What broke, what is unfinished, or why it could not run; absent if it passed. */
  readonly why?: string;
}

type Replay = Examination & { readonly replay: string };

interface Order {
  /** Proves that an answer comes from this file, because the merchant's code never sees it. */
  readonly secret: string;
  readonly examination: Replay;
}

/** A story that a process of its own plays. */
export interface RunningReplay {
  readonly ended: Promise<Replayed>;
  kill(): void;
}

/** Plays a story in a process of its own, because two versions of the same program cannot share one. */
export function replayApart(examination: Replay, folder: string): RunningReplay {
  const secret = randomUUID();
  const child = fork(fileURLToPath(import.meta.url), [ROLE], {
    cwd: folder,
    execArgv: process.execArgv.filter((argument) => !argument.startsWith("--inspect")),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-MOST_SAID)));
  let replayed: Replayed | undefined;
  child.on("message", (answer: Partial<Order & { readonly replayed: Replayed }> | null) => {
    if (answer?.secret === secret) replayed = answer.replayed;
  });
  child.send({ secret, examination } satisfies Order, () => undefined);
  const isRead = once(child, "close");
  return {
    ended: once(child, "exit").then(async ([code, signal]: (number | string | null)[]) => {
      // A program that the merchant has started may keep the output open.
      await Promise.race([isRead, delay(LAST_WORDS, undefined, { ref: false })]);
      return replayed ?? { outcome: "could not run", why: endInWords(said, signal ?? `exit code ${code}`) };
    }),
    kill: () => child.kill("SIGKILL"),
  };
}

/** The exam says what a program did that ended its process. */
function endInWords(said: string, end: number | string): string {
  const sentence = said.split("\n").findLast((line) => line.startsWith("exam: "));
  return sentence ?? `Its process ended with ${end} before the story was over.`;
}

async function replay({ replay: token, ...examination }: Replay): Promise<Replayed> {
  try {
    const { searchIn } = await import("./exam-search.ts");
    // A program that never starts would break laws under any trouble. Without one, the exam says why it does not start.
    await searchIn({ ...examination, replay: withoutTroubles(token) }, {});
    const { outcome, failures, unfinished } = await searchIn({ ...examination, replay: token }, {});
    const broken = failures.map(({ law, what }) => `${law}: ${what}`);
    const why = outcome === "unfinished" ? unfinished : broken.join(" ");
    return { outcome, ...(outcome !== "passed" && why !== undefined && { why }) };
  } catch (error) {
    return { outcome: "could not run", why: messageOf(error) };
  }
}

if (process.argv[2] === ROLE && process.send !== undefined) {
  // Kept, because code that the exam loads may replace them.
  const send = process.send.bind(process);
  const exit = process.exit.bind(process);
  const answer = async ({ secret, examination }: Order): Promise<void> => {
    const { outcome, why } = await replay(examination);
    const replayed = { outcome, ...(why !== undefined && { why: printable(why) }) };
    send({ secret, replayed }, undefined, undefined, () => exit(0));
  };
  process.once("message", (order: Order) => void answer(order));
}
