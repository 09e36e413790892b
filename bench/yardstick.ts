/**
 * A child process that tells how fast the machine is: it does the same work again and again beside what is measured, a little of it at a
 * time. The work is JSON through Node's own `fetch` and server. That is much code, and many short-lived objects, as in what is measured. A small
 * loop would fit into the caches of any processor, and tell nothing of how slow the memory of the machine is.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { answerParent } from "./child.ts";
import { median, microsecondsEach } from "./measure.ts";

/** Requests until V8 has compiled nearly all of the work: the first take several times as long. */
const WARM_UP = 10_000;
/** Requests before each sample, because a processor that has slept is slow at first. */
const WAKING = 60;
/** Enough requests that the processor's clock can tell their time, and so few that what is measured hardly loses by it. */
const REQUESTS = 40;
/** Milliseconds between samples, so that what is measured has the processor almost to itself. */
const PAUSE = 1500;
/** The fewest samples of an answer: a part of the bench may take less time than a few pauses. */
const LEAST_SAMPLES = 10;

let samples: number[] = [];
let sampled: Promise<void> = Promise.resolve();

const order = {
  amount: 149_900,
  externalId: "order-1",
  contact: { name: "Maria Santos", email: "maria@mail.example", phone: "+639171234567" },
  metadata: { cart: "cart-7", source: "web" },
};
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(await text(request)) as object;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "pi_1", ...body }));
}
const server = createServer((request, response) => void answer(request, response));
await once(server.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;

await requests(WARM_UP);

/** Answers with the microseconds of its work since the last question: the median. */
answerParent(async (): Promise<number> => {
  while (samples.length < LEAST_SAMPLES) await measure();
  const since = samples;
  samples = [];
  return median(since);
});

/** Takes a sample once the one before it is taken. */
function measure(): Promise<void> {
  sampled = sampled.then(sample);
  return sampled;
}

async function sample(): Promise<void> {
  await requests(WAKING);
  samples.push(await requests(REQUESTS));
}

/** Returns the microseconds of each of so many requests. */
function requests(times: number): Promise<number> {
  return microsecondsEach(times, async () => {
    const headers = { authorization: "Bearer 1", "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(order) });
    await response.json();
  });
}

async function go(): Promise<void> {
  while (process.connected) {
    await measure();
    await wait(PAUSE);
  }
}
void go();
