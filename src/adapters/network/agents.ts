import http from "node:http";
import https from "node:https";
import type net from "node:net";
import { connecting } from "./call-context.ts";
import { callOfRequest } from "./follow-calls.ts";
import { urlOf } from "./requests.ts";
import { running } from "./running.ts";

/**
 * Keeps the agents of `node:http` from sending on connections that were opened before the interception: the agent drops them, and opens
 * others. Requests to a service pass by the agents of older interceptors. `addRequest` is the one place through which an agent takes a request. Node does not document it, so without it nothing is patched.
 *
 * @param isIntercepted whether a connection was opened under the interception
 * @returns a function that removes the patch
 */
export function patchAgents(isIntercepted: (socket: net.Socket) => boolean): () => void {
  const { prototype } = http.Agent;
  const original = Object.getOwnPropertyDescriptor(prototype, "addRequest");
  if (typeof original?.value !== "function") return () => undefined;
  const next = original.value as (...args: unknown[]) => unknown;
  let isActive = true;

  function addRequest(this: http.Agent, ...args: unknown[]): unknown {
    if (isActive) {
      for (const socket of Object.values(this.freeSockets).flatMap((sockets) => sockets ?? []))
        if (!isIntercepted(socket)) socket.destroy();
    }
    const request = args[0] as http.ClientRequest;
    const agent = agentBehind(this);
    const url = agent === undefined || !isActive ? null : urlOf(request);
    const isOurs = url !== null && running.find(url).kind === "service";
    return connecting(request, callOfRequest, () => Reflect.apply(next, isOurs ? agent : this, args));
  }
  Object.defineProperty(prototype, "addRequest", { ...original, value: addRequest });

  return () => {
    isActive = false;
    if (Reflect.get(prototype, "addRequest") === addRequest) Object.defineProperty(prototype, "addRequest", original);
  };
}

/**
 * Returns the agent that connects in place of one by which an older version of the library takes every request of `node:http`.
 * @returns undefined for any other agent
 */
function agentBehind(agent: http.Agent): http.Agent | undefined {
  if (!/^Mock(?:Https)?Agent$/.test(agent.constructor.name) || !("onRequest" in agent)) return undefined;
  const given: unknown = Reflect.get(agent, "customAgent");
  if (given instanceof http.Agent) return given;
  return agent instanceof https.Agent ? https.globalAgent : http.globalAgent;
}
