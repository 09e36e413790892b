import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { connectSimulator } from "centavo/client";
import { expect, onTestFinished } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { freePort } from "../../free-port.ts";
import { Customers } from "./customers.ts";
import { RuledWorld } from "./ruled-world.ts";
import { newStateFile } from "./state-files.ts";
import { open, type Opened } from "../served.ts";

type Child = ChildProcessByStdio<null, Readable, null>;
/** The named worlds in which customers pay. In the default world, time is real. */
const CLOCKS = { ana: "auto", ben: "manual", cora: { real: 60 } } as const;
/** What `npx centavo` runs. */
const MAIN = join(import.meta.dirname, "../../..", manifest.bin.centavo);

/** What `centavo serve --json` prints. */
interface Greeting {
  readonly url: string;
  readonly controlToken: string;
  readonly credentials: Opened["credentials"];
}

/** `centavo serve --state`, which is killed again and again, and what it had told. */
class KilledServer {
  readonly path = newStateFile();
  readonly #events: string[] = [];
  readonly #customers = new Map<string, Customers>();
  readonly #ruled = new RuledWorld();
  readonly #command: readonly string[];
  #receiver = "";
  /** The tokens of a service name its address, which stays the same. */
  #port = 0;

  /** @param command what starts a program that takes the words of `centavo` */
  constructor(command: readonly string[] = [process.execPath, MAIN]) {
    this.#command = command;
  }

  /** How often an act of the control API that was not answered was in the file, and was not. */
  get brokenOff(): RuledWorld["brokenOff"] {
    return this.#ruled.brokenOff;
  }

  /** Starts a server, holds it to what it had told before, puts it under load, and kills it when it has given this many answers. */
  async liveUntil(answers: number, milliseconds = 0): Promise<void> {
    const { child, greeting } = await this.#start();
    const { url, controlToken: token } = greeting;
    const shops = await this.#open(greeting);
    // A clock that runs makes more of them meanwhile.
    const sent = [...this.#events];
    const known = await Promise.all(
      shops.map(({ customers, baseUrl }) => customers.expectKept(connectSimulator(baseUrl, { token }))),
    );
    const ids = new Set(known.flat());
    expect(sent.filter((id) => !ids.has(id))).toEqual([]);
    const rule = await this.#ruled.openAt(url, token);
    let count = 0;
    const answered = (): void => {
      count += 1;
      // Sooner or later than the server has written or sent what is on its way.
      if (count === answers) setTimeout(() => child.kill("SIGKILL"), milliseconds);
    };
    const isOver = (): boolean => child.killed;
    const lanes = shops.map(({ customers, baseUrl }) => customers.payAt(baseUrl, token, answered, isOver));
    await Promise.all([once(child, "exit"), ...lanes, rule(answered, isOver)]);
  }

  /** Starts a server, and kills it this much later, whether it has started or not. */
  async startFor(milliseconds: number): Promise<void> {
    const child = await this.#spawn();
    setTimeout(() => child.kill("SIGKILL"), milliseconds);
    child.stdout.resume();
    await once(child, "exit");
  }

  /** Starts a server, has it stop, and kills it this much later, whether it has stopped or not. */
  async stopFor(milliseconds: number): Promise<void> {
    const { child } = await this.#start();
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), milliseconds);
    await once(child, "exit");
  }

  async #start(): Promise<{ readonly child: Child; readonly greeting: Greeting }> {
    const child = await this.#spawn();
    const printed = once(createInterface(child.stdout), "line") as Promise<[line: string]>;
    const [line = "it printed nothing"] = await Promise.race([printed, once(child, "exit").then(() => [])]);
    return { child, greeting: JSON.parse(line) as Greeting };
  }

  async #spawn(): Promise<Child> {
    this.#receiver ||= await this.#receive();
    this.#port ||= await freePort();
    const [program = "", ...words] = this.#command;
    const keep = ["--keep", "100000", "--world-keep", "100000", "--world-rows", "10000000"];
    const options = [
      "--port",
      String(this.#port),
      "--json",
      "--state",
      this.path,
      "--webhook-url",
      this.#receiver,
      ...keep,
    ];
    const child = spawn(program, [...words, "serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  /** Opens the worlds, or asks for those of the file with the same options. */
  async #open({ url, controlToken: token, credentials }: Greeting) {
    const of = (name: string, baseUrl: string, own: Opened["credentials"]) => {
      const customers = this.#customers.get(name) ?? new Customers(own);
      this.#customers.set(name, customers);
      return { customers, baseUrl };
    };
    const worlds = [of("", url, credentials)];
    for (const [name, clock] of Object.entries(CLOCKS)) {
      const world = await open({ url, token }, name, { clock, webhookUrl: this.#receiver });
      worlds.push(of(name, world.baseUrl, world.credentials));
    }
    return worlds;
  }

  async #receive(): Promise<string> {
    const receiver = createServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        this.#events.push((JSON.parse(body) as { id: string }).id);
        // One in five is tried again.
        response.writeHead(this.#events.length % 5 === 0 ? 503 : 200).end();
      })();
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => receiver.close().closeAllConnections());
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  }
}

/** Kills a server so often: mostly under load, and else while it starts or stops. Then it starts again, and has all. */
export async function killed(times: number): Promise<void> {
  const server = new KilledServer();
  for (let time = 0; time < times; time += 1) {
    if (time % 10 === 4) await server.startFor((time * 53) % 997);
    else if (time % 10 === 8) await server.stopFor((time * 13) % 61);
    // In a long life, snapshots take the place of inputs.
    else await server.liveUntil(time % 20 === 1 ? 400 : 1 + ((time * 37) % 61), (time * 7) % 13);
  }
  await server.liveUntil(1);
  const { kept, gone } = server.brokenOff;
  expect(kept + gone).toBeGreaterThan(0);
}
