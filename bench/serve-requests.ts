/** A child process that is a server: `centavo serve`, or `node:http` alone with static answers of the same bytes. Needs `--expose-gc`. */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import { answerParent } from "./child.ts";
import { recordAnswers, tokenOf } from "./flow.ts";
import { heapInUse, microsecondsSince } from "./measure.ts";
import { startServe } from "./start-serve.ts";
import type { StartedServer } from "./start-serve.ts";

export type ServerName = "serve" | "bare";

/** How a server is reached, and what it has cost. */
export interface ServerState {
  readonly url: string;
  /** The merchant's access token. */
  readonly token: string;
  /** Microseconds of processor time since the last question. */
  readonly time: number;
  /** Bytes of live heap. */
  readonly heap: number;
}

const servers: Record<ServerName, () => Promise<StartedServer>> = {
  serve: startServe,
  bare: async () => {
    const sim = createSimulator();
    const { create, confirm, status } = await recordAnswers(sim);
    const bodies = { create: JSON.stringify(create), confirm: JSON.stringify(confirm), status: JSON.stringify(status) };
    const answer = (outgoing: ServerResponse, body: string): void => {
      const length = Buffer.byteLength(body);
      outgoing.writeHead(200, { "content-type": "application/json", "content-length": length }).end(body);
    };
    const server = createServer((incoming, outgoing) => {
      if (incoming.method === "GET") answer(outgoing, bodies.status);
      else
        readJson(incoming, () => answer(outgoing, bodies[incoming.url?.endsWith("/confirm") ? "confirm" : "create"]));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, login: () => tokenOf(sim) };
  },
};

/** Reads a body as JSON, as any server must. */
function readJson(incoming: IncomingMessage, then: () => void): void {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString());
    then();
  });
}

const { url, login } = await servers[process.argv[2] as ServerName]();
let start = process.cpuUsage();

answerParent(async (): Promise<ServerState> => {
  const time = microsecondsSince(start);
  const token = await login();
  const heap = heapInUse();
  start = process.cpuUsage();
  return { url, token, time, heap };
});
