import { fork } from "node:child_process";
import { join } from "node:path";

/** A child process of the bench, which answers one question at a time. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  close(): void;
}

/** The options of Node that give a child room for the largest world. */
export const LARGE_HEAP = ["--max-old-space-size=12288"] as const;

/**
 * Starts a file of this folder in a new process that can call the garbage collector.
 * @param flags further options of Node
 */
export function startChild<Question, Answer>(
  file: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: ["--expose-gc", ...flags] });
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        const onMessage = (answer: unknown): void => {
          child.off("exit", onExit);
          resolve(answer as Answer);
        };
        const onExit = (code: number | null): void =>
          reject(new Error(`bench/${file} ${args.join(" ")} ended with ${code}.`));
        child.once("message", onMessage);
        child.once("exit", onExit);
        child.send({ question });
      }),
    close: () => child.disconnect(),
  };
}

/** Called in the child: answers every question of the parent, until the parent disconnects. */
export function answerParent(answer: (question: unknown) => Promise<unknown>): void {
  process.on("message", (message) => {
    answer((message as { question: unknown }).question).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.once("disconnect", () => process.exit(0));
}
