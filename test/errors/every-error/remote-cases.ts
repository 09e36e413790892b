import { createServer } from "node:http";
import type { Simulator } from "centavo";
import { connectSimulator } from "centavo/client";
import type { RemoteSimulator } from "centavo/client";
import { serve } from "centavo/server";
import type { Cause, Causes } from "./cause.ts";

/** Reaches the simulator through a server, or another one beside it. */
const remotely =
  (act: (remote: RemoteSimulator, url: string) => unknown, path = "", token?: string): Cause =>
  async (sim: Simulator) => {
    await using server = await serve(sim);
    return await act(connectSimulator(server.url + path, { token: token ?? server.token }), server.url);
  };

const posting =
  (path: string, body: object): Cause =>
  async (sim: Simulator) => {
    await using server = await serve(sim);
    const authorization = `Bearer ${server.token}`;
    const init = { method: "POST", headers: { authorization }, body: JSON.stringify(body) };
    const { error } = (await (await fetch(server.controlUrl + path, init)).json()) as { error: { message: string } };
    return error.message;
  };

/** Reaches something else than a control API. */
const elsewhere =
  (status: number, body: string): Cause =>
  async () => {
    const other = createServer((_, response) => response.writeHead(status).end(body)).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { readonly port: number };
    try {
      return await connectSimulator(`http://127.0.0.1:${port}`, { token: "token" }).clock.now();
    } finally {
      other.close();
    }
  };

/** What goes wrong between a client and the control API of a server. */
export const remoteCauses: Causes = {
  INVALID_URL: {
    "connectSimulator: no URL": () => connectSimulator("shop", { token: "token" }),
  },
  INVALID_OPTION: {
    "connectSimulator: no token": () => connectSimulator("http://127.0.0.1:4010", {} as never),
    "a remote simulator: a wrong token": remotely((remote) => remote.clock.now(), "", "guessed"),
    "a remote simulator: an option that is a function": remotely((remote) =>
      (remote.clock.advance as (...given: unknown[]) => unknown)("1 day", { onProgress: () => undefined }),
    ),
    "a remote simulator: the path of a report": remotely((remote) =>
      (remote.report as (path: string) => unknown)("report.html"),
    ),
    "a remote simulator: String(sim.journal)": remotely((remote) => String(remote.journal)),
    "POST /clock/advance-until: an unknown resource": posting("/clock/advance-until", {
      resource: "subscription",
      id: "sub_1",
      status: "past_due",
    }),
  },
  INVALID_STATE: {
    "a remote simulator: sim.connect": remotely((remote) => (remote.connect as unknown as () => void)()),
    "a remote simulator: sim.close of the default world": remotely((remote) => remote.close()),
  },
  CLOCK_LIMIT: {
    "a remote simulator: a condition that stays false": remotely((remote) =>
      remote.clock.advanceUntil(() => false, { limit: "1 day" }),
    ),
  },
  NOT_FOUND: {
    "a remote simulator: no world of this name": remotely((remote) => remote.clock.now(), "/worlds/checkout"),
    "GET /faults/added: no such handle": async (sim) => {
      await using server = await serve(sim);
      const headers = { authorization: `Bearer ${server.token}` };
      const answer = (await (await fetch(`${server.controlUrl}/faults/added/7`, { headers })).json()) as {
        error: { message: string };
      };
      return answer.error.message;
    },
    "POST /clock/advance-until: an unknown id": posting("/clock/advance-until", {
      resource: "subscriptions",
      id: "sub_1",
      status: "past_due",
    }),
  },
  NOT_CONNECTED: {
    "a remote simulator: no server": async (sim) => {
      const server = await serve(sim);
      await server.close();
      return connectSimulator(server.url, { token: server.token }).clock.now();
    },
    "a remote simulator: another server": elsewhere(200, "<html></html>"),
    "a remote simulator: a host name that the server does not answer under": elsewhere(
      421,
      JSON.stringify({ error: { code: "UNKNOWN_HOST", message: "This server does not answer under this name." } }),
    ),
  },
};
