import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export const MEBIBYTE = 1024 * 1024;

const main = join(import.meta.dirname, "../../src/cli/main.ts");
/** Answers every message with the bytes that are still in use after a collection. */
const weigh =
  'process.on("message", () => { gc(); gc(); const { heapUsed, external } = process.memoryUsage(); process.send(heapUsed + external); });';

/** `centavo serve` in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Returns the memory in use after a forced collection, in MiB. */
  memory(): Promise<number>;
}

/** Starts `centavo serve` until the end of the test. */
export async function startServer(...options: string[]): Promise<ServerProcess> {
  const execArgv = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(weigh)}`];
  // Under the auto clock what is begun has ended when the server is weighed.
  const child = fork(main, ["serve", "--port", "0", "--quiet", "--clock", "auto", ...options], {
    execArgv,
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  onTestFinished(() => void child.kill());
  let printed = "";
  for await (const text of child.stdout?.setEncoding("utf8") ?? []) {
    printed += String(text);
    if (printed.includes("webhook secret")) break;
  }
  const read = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(printed)?.[1] ?? "";
  return {
    url: read("base URL"),
    clientId: read("client id"),
    clientSecret: read("client secret"),
    memory: async () => {
      child.send("weigh");
      const [bytes] = (await once(child, "message")) as [number];
      return bytes / MEBIBYTE;
    },
  };
}
