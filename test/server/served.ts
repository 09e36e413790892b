import net from "node:net";
import { createSimulator } from "centavo";
import type { SimulatorOptions } from "centavo";
import { serve } from "centavo/server";
import type { ServeOptions, SimulatorServer } from "centavo/server";
import { expect, onTestFinished } from "vitest";

/** What a server answers about a world that it has opened. */
export interface Opened {
  readonly name: string;
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly controlUrl: string;
  readonly seed: string;
  readonly now: string;
  readonly credentials: Readonly<
    Record<"merchantId" | "clientId" | "clientSecret" | "adminKey" | "webhookSecret", string>
  >;
}

/** Serves a simulator until the end of the test. */
export async function served(options: ServeOptions = {}, of: SimulatorOptions = {}): Promise<SimulatorServer> {
  const server = await serve(createSimulator(of), options);
  onTestFinished(() => server.close());
  return server;
}

/** Calls the management of a server's worlds. */
export function worlds(
  { url, token }: Pick<SimulatorServer, "url" | "token">,
  path: string,
  method: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${url}/_centavo/worlds${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** Opens a world, which is there afterwards. */
export async function open(
  server: Pick<SimulatorServer, "url" | "token">,
  name: string,
  options: object = {},
): Promise<Opened> {
  const response = await worlds(server, `/${name}`, "PUT", options);
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as Opened;
}

/** Reads an error of a server. */
export async function errorOf(response: Response): Promise<{ status: number; code: string; message: string }> {
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...error };
}

/** Sends bytes as they are, and returns all that comes back until the server ends the connection or the head of an answer is there. */
export function raw({ url }: Pick<SimulatorServer, "url">, bytes: string, until = /\r\n\r\n/): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      if (until.test(received)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

/** Returns the status that raw bytes are answered with. */
export async function rawStatus(server: Pick<SimulatorServer, "url">, ...lines: readonly string[]): Promise<number> {
  return Number((await raw(server, `${lines.join("\r\n")}\r\n\r\n`)).slice(9, 12));
}
