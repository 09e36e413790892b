import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const MEBIBYTE = 1024 * 1024;

// The built program: what strips types from sources comes into the memory of a process, and goes, when it likes.
const main = join(import.meta.dirname, "../../dist/esm/cli/main.js");
/** Answers every message with the bytes that are still in use after a collection, and the most that were resident, in KiB. */
const weigh =
  'process.on("message", () => { const { maxRSS } = process.resourceUsage(); gc(); gc(); const { heapUsed, external } = process.memoryUsage(); process.send([heapUsed + external, maxRSS]); });';

/** `centavo serve` in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly controlToken: string;
  /** Returns the most memory that was ever resident, in MiB. */
  peak(): Promise<number>;
  /** Returns the memory in use after a forced collection, in MiB. */
  memory(): Promise<number>;
}

/**
 * Starts `centavo serve` until the end of the test.
 * @param options.heap the limit of the heap's old space, in MiB; Node's own by default
 */
export async function startServer(
  args: readonly string[] = [],
  { heap }: { readonly heap?: number } = {},
): Promise<ServerProcess> {
  const limit = heap === undefined ? [] : [`--max-old-space-size=${heap}`];
  const execArgv = [...limit, "--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(weigh)}`];
  // Under the auto clock what is begun has ended when the server is weighed.
  const child = fork(main, ["serve", "--port", "0", "--quiet", "--clock", "auto", ...args], {
    execArgv,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  for await (const text of child.stdout?.setEncoding("utf8") ?? []) {
    printed += String(text);
    if (printed.includes("Press Ctrl+C")) break;
  }
  const read = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(printed)?.[1] ?? "";
  const weighed = async (): Promise<[bytes: number, kibibytes: number]> => {
    child.send("weigh");
    const [weight] = (await once(child, "message")) as [[number, number]];
    return weight;
  };
  return {
    url: read("base URL"),
    clientId: read("client id"),
    clientSecret: read("client secret"),
    controlToken: read("control token"),
    peak: async () => (await weighed())[1] / 1024,
    memory: async () => (await weighed())[0] / MEBIBYTE,
  };
}
