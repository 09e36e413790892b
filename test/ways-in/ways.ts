import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { setupServer } from "msw/node";
import type { Service } from "../../src/kit/http/callable-service.ts";

/** A service that is open for requests. */
export interface OpenWay extends AsyncDisposable {
  /** The base URL for the client. */
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
}

export interface Way {
  readonly name: string;
  /** Whether requests travel: then connections can break, and a client can leave before it is answered. */
  readonly hasConnections: boolean;
  readonly open: (service: Service) => Promise<OpenWay>;
}

const globalFetch: typeof fetch = (...input) => fetch(...input);

/** Every way into a service. */
export const ways: readonly Way[] = [
  {
    name: "memory",
    hasConnections: false,
    open: async (service) => ({
      url: service.baseUrl,
      fetch: (...input) => service.fetch(...input),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  },
  {
    name: "interception",
    hasConnections: true,
    open: async (service) => {
      const network = intercept(service);
      return { url: service.baseUrl, fetch: globalFetch, [Symbol.asyncDispose]: async () => network.close() };
    },
  },
  {
    name: "MSW handlers",
    hasConnections: true,
    open: async (service) => {
      const server = setupServer(...handlers(service));
      server.listen({ onUnhandledFrame: "error" });
      return { url: service.baseUrl, fetch: globalFetch, [Symbol.asyncDispose]: async () => server.close() };
    },
  },
  {
    name: "a socket",
    hasConnections: true,
    open: async (service) => {
      const server = await serve(service);
      return { url: server.url, fetch: globalFetch, [Symbol.asyncDispose]: () => server.close() };
    },
  },
];

export function wayNamed(name: string): Way {
  const way = ways.find((each) => each.name === name);
  if (way === undefined) throw new Error(`There is no way in called ${name}.`);
  return way;
}
