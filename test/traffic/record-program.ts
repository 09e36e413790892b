import { onTestFinished } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { newFile } from "./sandbox.ts";

/** The addresses that `centavo record --json` prints. */
export interface Addresses {
  readonly url: string;
  readonly authUrl?: string;
  readonly deliveriesUrl?: string;
}

/** Runs `centavo record` in this process, on free ports, until the test stops it. */
export async function recordProgram(...args: readonly string[]) {
  const file = newFile();
  const printed: string[] = [];
  const errors: string[] = [];
  const stopped = Promise.withResolvers<number>();
  const signals = [stopped.promise];
  const greeted = Promise.withResolvers<string>();
  let code: number | undefined;
  const program = createProgram({
    output: {
      print: (text) => {
        printed.push(text);
        greeted.resolve(text);
      },
      printError: (text) => void errors.push(text),
      colours: false,
    },
    directory: import.meta.dirname,
    exit: (asked) => (code = asked),
    end: (asked) => (code = asked),
    stopped: () => signals.shift() ?? new Promise<number>(() => undefined),
  });
  const ended = program.parseAsync(["record", "--port", "0", "--file", file, ...args], { from: "user" });
  ended.catch(greeted.reject);
  const greeting = await greeted.promise;
  const stop = async (): Promise<number | undefined> => {
    stopped.resolve(2);
    await ended;
    return code;
  };
  onTestFinished(async () => void (await stop()));
  return { file, greeting, printed, errors, stop };
}

/** The same with `--json`. */
export async function recordAsJson(...args: readonly string[]) {
  const running = await recordProgram("--json", ...args);
  return { ...running, addresses: JSON.parse(running.greeting) as Addresses };
}
