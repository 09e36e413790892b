import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { createSimulator, type Simulator } from "centavo";
import { createClient, type Client } from "centavo/client";
import { expect, onTestFinished } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

const PROGRAM = new URL("served-state.ts", import.meta.url).pathname;
/** How many customers pay in each world at the same time. */
const LANES = 4;

/** What a client was told by a world. */
interface Told {
  readonly world: string;
  readonly id: string;
  readonly externalId: string;
  readonly isConfirmed: boolean;
}

/** What left a server: the answers to clients, and the events by their ids. */
interface Left {
  readonly told: Told[];
  readonly events: string[];
}

/** A server that is killed again and again under load, and what left it. */
export class KilledServer {
  readonly path = newStateFile();
  readonly left: Left = { told: [], events: [] };
  readonly #receiver: string;
  #orders = 0;

  private constructor(receiver: string) {
    this.#receiver = receiver;
  }

  static async withReceiver(): Promise<KilledServer> {
    const receiver = createServer((request, response) => {
      void (async () => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        server.left.events.push((JSON.parse(body) as { id: string }).id);
        // One in five is tried again.
        response.writeHead(server.left.events.length % 5 === 0 ? 503 : 200).end();
      })();
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => receiver.close().closeAllConnections());
    const server = new KilledServer(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`);
    return server;
  }

  /** Starts the server, has customers pay, and kills it after this many answers. */
  async liveUntil(answers: number): Promise<void> {
    const child = spawn(process.execPath, [PROGRAM, this.path, this.#receiver], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface(child.stdout), "line")) as [string];
    const urls = JSON.parse(line) as Record<string, string>;
    const lanes: Promise<void>[] = [];
    let count = 0;
    const answered = (): void => {
      count += 1;
      if (count === answers) child.kill("SIGKILL");
    };
    for (const [world, url] of Object.entries(urls)) {
      const { clientId, clientSecret } = createSimulator({ seed: world }).credentials;
      const client = createClient({ baseUrl: url, fetch, clientId, clientSecret });
      for (let lane = 0; lane < LANES; lane += 1) lanes.push(this.#shop(world, client, child, answered));
    }
    await Promise.all([once(child, "exit"), ...lanes]);
  }

  async #shop(world: string, client: Client, child: ChildProcess, answered: () => void): Promise<void> {
    try {
      while (!child.killed) {
        this.#orders += 1;
        const externalId = `order-${this.#orders}`;
        const { id } = await client.paymentIntents.create({ amount: 10_000, externalId });
        this.left.told.push({ world, id, externalId, isConfirmed: false });
        answered();
        await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
        this.left.told.push({ world, id, externalId, isConfirmed: true });
        answered();
      }
    } catch (error) {
      // The server was killed before it answered.
      if (!child.killed) throw error;
    }
  }

  /** Holds what the file has to what left the server. */
  async expectAllKept(): Promise<void> {
    const { told, events } = this.left;
    const state = openState(killedCopyOf(this.path));
    const worlds = new Map<string, Simulator>();
    for (const name of state.worlds.keys()) {
      const sim = createSimulator({ seed: name, webhookUrl: this.#receiver });
      await state.restore(name, sim);
      worlds.set(name, sim);
    }
    const lost = told.filter(({ world, id, externalId, isConfirmed }) => {
      const intent = worlds.get(world)?.intents.get(id);
      return intent?.externalId !== externalId || (isConfirmed && intent.status === "requires_payment_method");
    });
    expect(lost).toEqual([]);
    const known = new Set([...worlds.values()].flatMap((sim) => sim.webhooks.events().map(({ id }) => id)));
    expect(events.filter((id) => !known.has(id))).toEqual([]);
    for (const sim of worlds.values()) expectWhole(sim);
    state.close();
  }
}

/** Holds a world to have no half of a payment. */
function expectWhole(sim: Simulator): void {
  const paid = sim.intents.list().filter(({ status }) => status === "succeeded");
  expect(sim.ledger().balance).toBe(0);
  const transactions = sim.transactions.list().filter(({ status }) => status === "succeeded");
  expect(new Set(transactions.map(({ intentId }) => intentId))).toEqual(new Set(paid.map(({ id }) => id)));
  expect(transactions).toHaveLength(paid.length);
  const told = sim.webhooks.events({ type: "payment_intent.succeeded" });
  expect(told.map(({ body }) => body.data.id).toSorted()).toEqual(paid.map(({ id }) => id).toSorted());
}
