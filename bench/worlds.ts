/**
 * Prints what so many named worlds of one server cost: the megabytes that the process has in use while they are idle, or the microseconds of
 * a flow that goes to each of them in turn.
 */
import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { intentFlow } from "./flow.ts";
import type { Flow, Send } from "./flow.ts";
import { median, microsecondsEach } from "./measure.ts";

const FLOWS = 100;
const ROUNDS = 15;
const [what, count] = process.argv.slice(2);

const server = await serve(createSimulator());
const send: Send = (url, init) => fetch(url, init);

interface Opened {
  readonly baseUrl: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
}

async function open(name: string): Promise<Opened> {
  const headers = { authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.url}/_centavo/worlds/${name}`, { method: "PUT", headers });
  return (await response.json()) as Opened;
}

async function flowIn({ baseUrl, credentials: { clientId, clientSecret } }: Opened): Promise<Flow> {
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await fetch(`${baseUrl}/oauth`, { method: "POST", body });
  return intentFlow(send, baseUrl, ((await response.json()) as { access_token: string }).access_token);
}

const worlds: Opened[] = [];
for (let number = 0; number < Number(count); number += 1) worlds.push(await open(`world-${number}`));

if (what === "memory") {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  console.log((heapUsed + external) / 1e6);
} else {
  const flows = await Promise.all(worlds.map(flowIn));
  let next = 0;
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push(await microsecondsEach(FLOWS, () => flows[(next += 1) % flows.length]?.run()));
  console.log(median(rounds.slice(-7)));
}
process.exit(0);
