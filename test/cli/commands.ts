import { createProgram } from "../../src/cli/program.ts";

/** What a command printed, and the exit code that it asked for. */
export interface Ran {
  readonly code: number | undefined;
  readonly text: string;
  /** What it printed to standard error; absent if it printed nothing there. */
  readonly errors?: string;
}

/** Runs a command in this process, in this folder. */
export async function centavo(...args: string[]): Promise<Ran> {
  return centavoIn(import.meta.dirname, ...args);
}

/** Runs a command in this process, in any folder. A server is stopped at once, and nothing else is. */
export async function centavoIn(directory: string, ...args: string[]): Promise<Ran> {
  return centavoUntil(args[0] === "serve" ? Promise.resolve() : new Promise(() => undefined), directory, ...args);
}

/** Runs a command in this process, which is asked to stop, once, when a promise resolves. */
export async function centavoUntil(stopped: Promise<void>, directory: string, ...args: string[]): Promise<Ran> {
  const printed: string[] = [];
  const errors: string[] = [];
  let code: number | undefined;
  const exit = (asked: number): void => {
    code = asked;
  };
  const signals = [stopped];
  const program = createProgram({
    output: {
      print: (text) => void printed.push(text),
      printError: (text) => void errors.push(text),
      colours: false,
    },
    directory,
    exit,
    end: exit,
    stopped: () => (signals.shift() ?? new Promise<void>(() => undefined)).then(() => 2),
  });
  await program.parseAsync(args, { from: "user" });
  return { code, text: printed.join("\n"), ...(errors.length > 0 && { errors: errors.join("\n") }) };
}
