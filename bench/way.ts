/**
 * A child process with one way into the service, or with the static answers against which it is measured. It runs a round of flows each
 * time that the parent asks, so that the parent can let the ways take turns.
 */
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { answerParent } from "./child.ts";
import { intentFlow, recordAnswers, staticHandler, tokenOf } from "./flow.ts";
import type { Send } from "./flow.ts";
import { microsecondsEach } from "./measure.ts";

export type WayName =
  | "direct"
  | "direct-static"
  | "intercept"
  | "setupServer"
  | "setupServer-static"
  | "server"
  | "server-static";

interface Way {
  readonly send: Send;
  readonly baseUrl: string;
}

const sim = createSimulator();
const answers = await recordAnswers(sim);
const throughFetch: Send = (url, init) => fetch(url, init);
const answerStatically = staticHandler(answers);

const ways: Record<WayName, () => Promise<Way>> = {
  direct: async () => ({ send: sim.fetch, baseUrl: sim.baseUrl }),
  "direct-static": async () => ({
    send: (url, init) => answerStatically(new Request(url, init)),
    baseUrl: sim.baseUrl,
  }),
  intercept: async () => {
    intercept(sim);
    return { send: throughFetch, baseUrl: sim.baseUrl };
  },
  setupServer: async () => {
    setupServer(...handlers(sim)).listen();
    return { send: throughFetch, baseUrl: sim.baseUrl };
  },
  "setupServer-static": async () => {
    setupServer(
      http.post(`${sim.baseUrl}/api/payment-intent`, () => HttpResponse.json(answers.create)),
      http.post(`${sim.baseUrl}/api/payment-intent/:intentId/confirm`, () => HttpResponse.json(answers.confirm)),
      http.get(`${sim.baseUrl}/api/payment-intent/:intentId/status`, () => HttpResponse.json(answers.status)),
    ).listen();
    return { send: throughFetch, baseUrl: sim.baseUrl };
  },
  server: async () => ({ send: throughFetch, baseUrl: await served(sim) }),
  "server-static": async () => ({
    send: throughFetch,
    baseUrl: await served({ ...urls(sim), fetch: answerStatically }),
  }),
};

const { send, baseUrl } = await ways[process.argv[2] as WayName]();

answerParent(async (flows) => {
  sim.reset();
  const flow = intentFlow(send, baseUrl, await tokenOf(sim));
  return microsecondsEach(flows as number, () => flow.run());
});

async function served(service: Parameters<typeof serve>[0]): Promise<string> {
  const { url } = await serve(service);
  return url;
}

function urls({ baseUrl: api, authUrl }: Simulator): { baseUrl: string; authUrl: string } {
  return { baseUrl: api, authUrl };
}
