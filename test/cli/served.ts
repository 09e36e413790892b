import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "centavo/client";
import type { Client } from "centavo/client";
import { onTestFinished } from "vitest";
import { startServer } from "../../src/cli/serve.ts";
import type { RunningServer, ServeCommandOptions } from "../../src/cli/serve.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** What `centavo serve --json` prints. */
export interface Greeting {
  readonly url: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly controlUrl: string;
  readonly controlToken: string;
  readonly credentials: Readonly<
    Record<"merchantId" | "clientId" | "clientSecret" | "adminKey" | "webhookSecret", string>
  >;
  readonly seed: string;
  readonly now: string;
}

/** A server in this process, and what it has printed. */
export interface Served {
  readonly server: RunningServer;
  readonly printed: string[];
  /** Returns what it printed after its greeting. */
  readonly log: () => string[];
  readonly client: Client;
}

/** Starts the server of the command in this process, until the end of the test. */
export async function served(
  options: Partial<ServeCommandOptions> = {},
  { colours = false }: { readonly colours?: boolean } = {},
): Promise<Served> {
  const printed: string[] = [];
  const print = (text: string): void => void printed.push(text);
  const output = { print, printError: print, colours };
  const server = await startServer({ port: 0, ...options }, output, import.meta.dirname);
  onTestFinished(() => server.close());
  const text = printed.join("\n");
  const read = (name: string): string => new RegExp(`${name} +(\\S+)`).exec(text)?.[1] ?? "";
  const [clientId, clientSecret] = [read("client id"), read("client secret")];
  const greeting = printed.length;
  return {
    server,
    printed,
    log: () => printed.slice(greeting),
    client: createClient({ baseUrl: server.url, clientId, clientSecret }),
  };
}

/** The command in a process of its own. */
export interface ServeProcess {
  readonly child: ChildProcess;
  readonly greeting: Greeting;
  readonly client: Client;
  /** Resolves with how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** What it printed to standard error. */
  readonly errors: () => string;
}

/** Starts `centavo serve --json` in a process of its own, until the end of the test. */
export async function serveProcess(...options: string[]): Promise<ServeProcess> {
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--json", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "close").then(([code, signal]: (number | string | null)[]) => ({ code, signal }));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  let line = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    line += String(text);
    if (line.includes("\n")) break;
  }
  const greeting = JSON.parse(line) as Greeting;
  const { baseUrl, credentials } = greeting;
  return {
    child,
    greeting,
    client: createClient({ baseUrl, ...credentials }),
    ended: ended as ServeProcess["ended"],
    errors: () => errors,
  };
}
