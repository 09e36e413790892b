/**
 * A child process that tells how fast the machine is: it does the same plain work again and again beside what is measured, a little of it
 * at a time. The work is a fetch handler's: it reads a request as JSON, keeps it, and answers with JSON.
 */
import { setTimeout as wait } from "node:timers/promises";
import { answerParent } from "./child.ts";
import { median, microsecondsEach } from "./measure.ts";

/** Rounds until V8 has compiled the work for good: before, it takes up to twice as long. */
const WARM_UP = 2000;
/** Rounds before each sample, because a processor that has slept is slow at first. */
const WAKING = 4;
/** Enough work that the processor's clock can tell its time, and so little that what is measured hardly loses by it. */
const TIMES = 50;
/** Milliseconds between samples, so that what is measured has the processor almost to itself. */
const PAUSE = 250;
/** The fewest samples of an answer: a part of the bench may take less time than a few pauses. */
const LEAST_SAMPLES = 20;
const KEPT = 1000;

const kept = new Map<number, unknown>();
let order = 0;
let samples: number[] = [];
let sampled: Promise<void> = Promise.resolve();

async function handle(): Promise<void> {
  order += 1;
  const body = {
    amount: 149_900,
    externalId: `order-${order}`,
    contact: { name: "Maria Santos" },
    tags: ["web", "book"],
  };
  const request = new Request("https://pay.example/orders", {
    method: "POST",
    headers: { authorization: `Bearer ${order}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  kept.set(order % KEPT, await request.json());
  await Response.json({ id: order, ...body }).json();
}

for (let round = 0; round < WARM_UP; round += 1) await microsecondsEach(TIMES, handle);

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
  for (let round = 0; round < WAKING; round += 1) await microsecondsEach(TIMES, handle);
  samples.push(await microsecondsEach(TIMES, handle));
}

async function go(): Promise<void> {
  while (process.connected) {
    await measure();
    await wait(PAUSE);
  }
}
void go();
