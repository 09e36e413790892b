/**
 * A child process that runs flows, with some stages of the service taken out: each of them gives at once what it gave to an earlier flow. It
 * is bundled from the source, because the package exports no stage.
 */
import { createSimulator } from "../src/index.ts";
import { intercept } from "../src/node.ts";
import { Engine } from "../src/engine/engine.ts";
import { Addresses } from "../src/http/addresses.ts";
import { Answers } from "../src/http/answers.ts";
import { CallReader } from "../src/http/call-reader.ts";
import { Dispatcher } from "../src/http/dispatcher.ts";
import { RequestInputs } from "../src/http/request-inputs.ts";
import { RequestJournal } from "../src/http/request-journal.ts";
import type { RawAnswer } from "../src/http/route.ts";
import { Router } from "../src/http/router.ts";
import { paymentService } from "../src/service/service.ts";
import { answerParent } from "./child.ts";
import { intentFlow, tokenOf } from "./flow.ts";
import type { Send } from "./flow.ts";
import { microsecondsEach } from "./measure.ts";

type Anything = (this: unknown, ...given: never[]) => unknown;

/** What is taken out, in the order of the words in `floor.ts`. Each is taken out together with those before it. */
const takeOut = [
  withoutJournal,
  withoutHandlers,
  () => replay(Answers.prototype, "of"),
  withoutSchemas,
  () => replay(CallReader.prototype, "read"),
  withoutRouting,
  withoutDispatcher,
];

const [count = "0", around = "nothing"] = process.argv.slice(2);
const sim = createSimulator();
/** What is done once the first flow was recorded. */
const steps: (() => void)[] = [];
/** Which of the three calls of a flow is under way. */
let call = 0;

if (around === "interception") intercept(sim);
const ways: Readonly<Record<string, Send>> = {
  nothing: sim.fetch,
  turn: async (url, init) => {
    await new Promise((resolve) => setImmediate(resolve));
    return sim.fetch(url, init);
  },
  interception: (url, init) => fetch(url, init),
};
const way = ways[around] as Send;
const send: Send = (url, init) => {
  call = init.method === undefined ? 2 : url.endsWith("/confirm") ? 1 : 0;
  return way(url, init);
};

const token = await tokenOf(sim);
for (const take of takeOut.slice(0, Number(count))) take();
await intentFlow(send, sim.baseUrl, token).run();
for (const step of steps) step();

answerParent(async (flows) => {
  // With its handlers taken out, a world does not grow.
  const grows = Number(count) < takeOut.indexOf(withoutHandlers) + 1;
  if (grows) sim.reset();
  const flow = intentFlow(send, sim.baseUrl, grows ? await tokenOf(sim) : token);
  return microsecondsEach(flows as number, () => flow.run());
});

function withoutJournal(): void {
  const nothing = (): undefined => undefined;
  steps.push(() => {
    Object.assign(RequestJournal.prototype, { request: nothing, answer: nothing, ignored: nothing });
    Object.assign(RequestInputs.prototype, { add: nothing });
    Object.assign(Engine.prototype, { note: nothing });
  });
}

function withoutHandlers(): void {
  for (const { route } of paymentService.routers.routes) replay(route, "handle");
  steps.push(() => {
    for (const { route } of paymentService.routers.routes) Reflect.deleteProperty(route, "check");
    Object.assign(Engine.prototype, { unit: (work: () => unknown) => work() });
  });
}

function withoutSchemas(): void {
  steps.push(() => {
    for (const { route } of paymentService.routers.routes)
      for (const part of ["params", "query", "body"]) Reflect.deleteProperty(route, part);
  });
}

function withoutRouting(): void {
  replay(Addresses.prototype, "targetOf");
  replay(Router.prototype, "match");
}

function withoutDispatcher(): void {
  const begin = Reflect.get(Dispatcher.prototype, "beginCall") as Anything;
  const answers: RawAnswer[] = [];
  Dispatcher.prototype.beginCall = function (this: Dispatcher) {
    const answer = Reflect.apply(begin, this, []) as ReturnType<Dispatcher["beginCall"]>;
    return async (request) => (answers[call] = await answer(request));
  };
  steps.push(() => {
    Dispatcher.prototype.beginCall = () => async () => answers[call] as RawAnswer;
  });
}

/** Has a method give later what it gives to each call of the first flow. */
function replay<Owner extends object>(owner: Owner, name: keyof Owner & string): void {
  const method = owner[name] as Anything;
  const given: unknown[] = [];
  const put = (replacement: Anything): void => void Object.assign(owner, { [name]: replacement });
  put(function (...args) {
    return (given[call] = Reflect.apply(method, this, args));
  });
  steps.push(() => put(() => given[call]));
}
