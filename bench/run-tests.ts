/**
 * A child process that runs tests of a shop one after the other: each with a simulator of its own, or each with MSW's stock handlers, which
 * give the same answers to every test. Needs `--expose-gc`.
 */
import { join } from "node:path";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { answerParent } from "./child.ts";
import { heapInUse, microsecondsEach } from "./measure.ts";

/** With what each test of this process has its payment service. */
export type TestKind = "intercept" | "setupServer";

/** What a round took, in microseconds of processor time for each test, and what stays on the heap after it, in bytes. */
export interface TestFigures {
  readonly each: number;
  readonly heap: number;
}

const SHOP = "https://shop.example";

const { createSimulator } = await built<typeof import("../src/index.ts")>("index.js");
const { createClient } = await built<typeof import("../src/client.ts")>("client.js");
const { intercept } = await built<typeof import("../src/node.ts")>("node.js");

/** Creates and confirms an intent that asks for 3-D Secure, through the global `fetch`, and returns where the customer has to go. */
async function pay(options: Parameters<typeof createClient>[0]): Promise<{ id: string; redirectUrl: string }> {
  const client = createClient(options);
  const { id } = await client.paymentIntents.create({ amount: 10_000, returnUrl: `${SHOP}/thanks` });
  const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_challenge" });
  return { id, redirectUrl: redirectUrl ?? "" };
}

async function intercepted(): Promise<void> {
  let delivered = 0;
  const sim = createSimulator({ webhookUrl: `${SHOP}/hooks` });
  intercept(sim);
  sim.connect(SHOP, () => {
    delivered += 1;
    return new Response();
  });
  const { id, redirectUrl } = await pay({ ...sim.credentials, baseUrl: sim.baseUrl });
  await sim.customer.authenticate(redirectUrl);
  await sim.clock.settle();
  if (sim.intents.get(id)?.status !== "succeeded" || delivered === 0) throw new Error("The payment did not succeed.");
  await sim.close();
}

/** The answers of a simulator to the calls of one test, and the options of its client. */
async function staticTest(): Promise<() => Promise<void>> {
  const answers = new Map<string, unknown>();
  const sim = createSimulator();
  const options = { ...sim.credentials, baseUrl: sim.baseUrl };
  const recording: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await sim.fetch(request);
    answers.set(new URL(request.url).pathname, await response.clone().json());
    return response;
  };
  const { redirectUrl } = await pay({ ...options, fetch: recording });
  const event = JSON.stringify({ type: "payment_intent.succeeded" });
  await sim.close();
  const handlers = Array.from(answers, ([path, answer]) =>
    http.post(sim.baseUrl + path, () => HttpResponse.json(answer as object)),
  );
  const page = http.post(redirectUrl, () => new HttpResponse(null, { status: 303, headers: { location: SHOP } }));
  const app = ({ method }: Request): Response => new Response(null, { status: method === "POST" ? 200 : 405 });
  return async () => {
    const server = setupServer(...handlers, page);
    server.listen();
    const challenge = await pay(options);
    const body = new URLSearchParams({ result: "pass" });
    await fetch(challenge.redirectUrl, { method: "POST", body, redirect: "manual" });
    const { ok } = app(new Request(`${SHOP}/hooks`, { method: "POST", body: event }));
    if (!ok) throw new Error("The shop did not take the event.");
    server.close();
  };
}

const test = (process.argv[2] as TestKind) === "intercept" ? intercepted : await staticTest();

answerParent(async (tests): Promise<TestFigures> => ({
  each: await microsecondsEach(tests as number, test),
  heap: heapInUse(),
}));

/** The built package, as users load it. The types are those of the sources, because they are checked before the build. */
async function built<Entry>(file: string): Promise<Entry> {
  return (await import(join(import.meta.dirname, "../dist/esm", file))) as Entry;
}
