import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { connectSimulator, createClient } from "centavo/client";
import type { Client, RemoteSimulator } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import { serve } from "centavo/server";

/** The ways to reach a simulator. */
export type Way = "in process" | "remote";

/** A simulator that a test reaches in one of the ways. What a test awaits is the same in both. */
export interface Reached extends AsyncDisposable {
  readonly sim: RemoteSimulator;
  /** The simulator itself, for what stands in its process, such as the merchant's app. */
  readonly local: Simulator;
  /** The merchant's client. */
  readonly client: Client;
}

export async function reach(way: Way, options: SimulatorOptions = {}): Promise<Reached> {
  const local = createSimulator(options);
  if (way === "in process") {
    return {
      sim: withMake(local),
      local,
      client: createClient({ ...local.credentials, baseUrl: local.baseUrl, fetch: local.fetch }),
      [Symbol.asyncDispose]: () => local.close(),
    };
  }
  const server = await serve(local);
  const sim = connectSimulator(server.url, { token: server.token });
  return {
    sim,
    local,
    client: createClient({ ...(await sim.credentials), baseUrl: await sim.baseUrl }),
    [Symbol.asyncDispose]: () => local.close(),
  };
}

/** A simulator with its fixtures, where a remote one has them. */
function withMake(local: Simulator): RemoteSimulator {
  return new Proxy(local, {
    get: (target, name) => {
      if (name === "make") return fixtures(target);
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  }) as unknown as RemoteSimulator;
}

/** What a call throws, at once or later. */
export async function errorOf(call: () => unknown): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await call();
  } catch (error) {
    return error as { readonly code: string; readonly message: string };
  }
  throw new Error("The call was expected to fail.");
}
