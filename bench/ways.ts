/** Prints the microseconds of a flow through one way into the service, or through the static answers with which it is compared. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { inspect, serve } from "centavo/server";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { intentFlow, recordAnswers, staticHandler, tokenOf } from "./flow.ts";
import type { Send } from "./flow.ts";
import { median, microsecondsEach } from "./measure.ts";

const FLOWS = 100;
const ROUNDS = 7;
/** Until V8 has compiled nearly all of it. */
const WARM_UP_ROUNDS = 12;

const sim = createSimulator();
const { baseUrl, authUrl } = sim;
const answers = await recordAnswers(sim);
const answerStatically = staticHandler(answers);
const throughFetch: Send = (url, init) => fetch(url, init);
const below = (path: string): string => `${baseUrl}/api/payment-intent${path}`;

const ways: Readonly<Record<string, () => Promise<{ readonly send: Send; readonly url: string }>>> = {
  direct: async () => ({ send: sim.fetch, url: baseUrl }),
  "direct-static": async () => ({ send: (url, init) => answerStatically(new Request(url, init)), url: baseUrl }),
  inspected: async () => {
    await inspect(sim);
    return { send: sim.fetch, url: baseUrl };
  },
  intercept: async () => {
    intercept(sim);
    return { send: throughFetch, url: baseUrl };
  },
  msw: async () => {
    setupServer(...handlers(sim)).listen();
    return { send: throughFetch, url: baseUrl };
  },
  "msw-static": async () => {
    setupServer(
      http.post(below(""), () => HttpResponse.json(answers.create)),
      http.post(below("/:id/confirm"), () => HttpResponse.json(answers.confirm)),
      http.get(below("/:id/status"), () => HttpResponse.json(answers.status)),
    ).listen();
    return { send: throughFetch, url: baseUrl };
  },
  server: async () => ({ send: throughFetch, url: (await serve(sim)).url }),
  "server-state": async () => {
    const state = join(mkdtempSync(join(tmpdir(), "centavo-bench-")), "shop.db");
    return { send: throughFetch, url: (await serve(sim, { state })).url };
  },
  "server-static": async () => ({
    send: throughFetch,
    url: (await serve({ baseUrl, authUrl, fetch: answerStatically })).url,
  }),
};

const way = await ways[process.argv[2] ?? ""]?.();
if (way === undefined) throw new Error(`There is no way "${process.argv[2]}".`);

async function round(): Promise<number> {
  sim.reset();
  const flow = intentFlow(way?.send ?? sim.fetch, way?.url ?? baseUrl, await tokenOf(sim));
  return microsecondsEach(FLOWS, () => flow.run());
}

for (let index = 0; index < WARM_UP_ROUNDS; index += 1) await round();
const rounds: number[] = [];
for (let index = 0; index < ROUNDS; index += 1) rounds.push(await round());
console.log(median(rounds));
process.exit(0);
