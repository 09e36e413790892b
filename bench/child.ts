import { fork } from "node:child_process";
import { join } from "node:path";

/** A child process of the bench that answers questions one at a time. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  close(): void;
}

/** Starts a file of this folder as a process of its own, in which the garbage collector can be called. */
export function startChild<Question, Answer>(file: string, args: readonly string[] = []): Child<Question, Answer> {
  const child = fork(join(import.meta.dirname, file), args, { execArgv: ["--expose-gc"] });
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

/** In the child: answers every question of the parent, and ends when the parent lets go. */
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
