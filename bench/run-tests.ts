/**
 * A child process that runs tests of a shop one after the other: each with a simulator of its own, or each with MSW's stock handlers, which
 * give the same answers to every test. Needs `--expose-gc`.
 */
import { createSimulator } from "centavo";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { answerParent } from "./child.ts";
import { heapInUse, microsecondsEach } from "./measure.ts";
import { pay, runShopTest, SHOP } from "./shop-test.ts";

/** With what each test of this process has its payment service. */
export type TestKind = "intercept" | "setupServer";

/** How many tests a round has, and whether to tell what they leave on the heap. */
export interface TestQuestion {
  readonly tests: number;
  readonly weighs?: boolean;
}

/** What a round of tests took. */
export interface TestFigures {
  /** Microseconds of processor time for each test. */
  readonly each: number;
  /** Milliseconds of real time for all of them. */
  readonly real: number;
  /** What stays on the heap afterwards, in bytes; 0 when nobody asked. */
  readonly heap: number;
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

const test = (process.argv[2] as TestKind) === "intercept" ? runShopTest : await staticTest();

answerParent(async (question): Promise<TestFigures> => {
  const { tests, weighs = false } = question as TestQuestion;
  const start = performance.now();
  const each = await microsecondsEach(tests, test);
  const real = performance.now() - start;
  // Only when asked: a full collection while no world is open makes V8 drop the code that it has optimised for worlds.
  return { each, real, heap: weighs ? heapInUse() : 0 };
});
