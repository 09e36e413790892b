import type { ExamOptions, Opening } from "centavo/exam";
import type { SimulatedOptions, TestParts } from "centavo/testing";
import { expect } from "vitest";
import type { ActContext, Books } from "../../src/exam/options.ts";
import { flowsOf } from "../../src/exam/flows.ts";
import { leadsTo } from "../../src/exam/playing/pages.ts";
import { readBooks } from "../../src/exam/read-books.ts";
import { readOptions } from "../../src/exam/read-options.ts";
import type { ActStep, Flow, Step } from "../../src/exam/story.ts";
import type { FetchHandler } from "../../src/kit/receivers/merchant-app.ts";
import { paymentService } from "../../src/service/service.ts";
import { isForCustomers } from "../../src/shake/routes-of-service.ts";
import { durationMilliseconds } from "../../src/kit/engine/duration.ts";
import { isAdapter } from "../../src/merchant/process/store.ts";
import { RUN_VARIABLE } from "../../src/testing/shake/run-folder.ts";
import { merchants } from "../exam/honest/merchants.ts";
import type { Suite } from "./in-process.ts";

/** What a merchant calls. */
const routes = paymentService.resources
  .flatMap((resource) => resource.routes as readonly { readonly name: string }[])
  .map(({ name }) => name)
  .filter((name) => !isForCustomers(name));

const SHOP = "https://shop.example";
const MOST_REDIRECTS = 5;

type Parts = Pick<TestParts, "sim" | "network">;
type Merchant = ExamOptions<unknown>;

/** How a test goes on after each step of a flow, before it reads the merchant's books. */
export interface Pace {
  readonly name: string;
  /** How far the clock moves; absent when it only settles. */
  readonly waits?: string | undefined;
}

/** A test that looks at once, and one that gives events and jobs their time. */
export const paces: readonly Pace[] = [{ name: "at once" }, { name: "hours later", waits: "3 hours" }];

/** What goes wrong in a test of its own, so that the suite shows what the merchant repeats. */
const REPEATED = [
  { kind: "request.status", status: 503 },
  { kind: "request.status", status: 429 },
  { kind: "request.status", status: 401 },
  { kind: "request.reset" },
  { kind: "request.refused" },
] as const;

/**
 * Returns tests as a team would write them for a merchant: what customers do in each flow of an exam, and assertions of what stands in the
 * merchant's books after each step. What that is, the first run shows, as with a snapshot.
 */
export function sunnyTests(
  merchant: Merchant,
  flows: readonly Flow[] = flowsOfMerchant(merchant),
  pace = paces,
): Suite {
  const sunny = flows.flatMap((flow) =>
    pace.map((each) => [`${flow.name}, ${each.name}`, testOf(merchant, flow, each)] as const),
  );
  const repeating = REPEATED.map((fault) => {
    const [flow = { name: "", steps: [] }] = flows;
    const title = `${flow.name}, while each call is struck once by ${Object.values(fault).join(" ")}`;
    return [title, testOf(merchant, flow, paces[0] as Pace, fault)] as const;
  });
  return Object.fromEntries([...sunny, ...repeating]);
}

/** Returns the options of `simulated` for the tests of a merchant: one that has a worker needs timers of virtual time. */
export function optionsOf(merchant: Merchant): SimulatedOptions {
  return merchant === merchants["has a worker that sleeps until it is woken"] ? { timers: true } : {};
}

/** Returns the flows of an exam that a test can play, too. */
export function flowsOfMerchant(merchant: Merchant): readonly Flow[] {
  return flowsOf(readOptions(merchant)).filter(({ steps }) => !steps.some(({ kind }) => kind === "counter"));
}

function testOf(merchant: Merchant, flow: Flow, pace: Pace, fault?: (typeof REPEATED)[number]): Suite[string] {
  let known: readonly unknown[] = [];
  return async ({ sim, network }) => {
    const visitor = await openMerchant(merchant, { sim, network });
    if (fault !== undefined) for (const route of routes) sim.faults.add({ ...fault, route, nth: 1 } as never);
    const read: unknown[] = [];
    for (const step of flow.steps) {
      await visitor.perform(step);
      await (pace.waits === undefined ? sim.clock.settle() : sim.clock.advance(pace.waits));
      await visitor.runJobs();
      await sim.clock.settle();
      const books = byId(readBooks(await visitor.books()));
      if (process.env[RUN_VARIABLE] !== "0") expect(books).toEqual(known[read.length]);
      read.push(books);
    }
    if (process.env[RUN_VARIABLE] === "0") known = read;
  };
}

/**
 * Returns the rows of a merchant's books by the orders and members that they are of. No team asserts the ids of payments or the order of
 * rows: when several customers come at once, and a call of one of them is repeated, the service serves theirs in another order.
 */
function byId({ orders = [], memberships = [], ...books }: Books) {
  const rows = (all: readonly { readonly id: string }[]) => Object.fromEntries(all.map((row) => [row.id, row]));
  return { ...books, orders: rows(orders), memberships: rows(memberships) };
}

/** Opens a merchant in a test, as `exam` opens it in a story, but with the test's own time. */
async function openMerchant(merchant: Merchant, { sim, network }: Parts) {
  const { acts, jobs = [], plans = ["basic", "plus"] } = merchant;
  const store = isAdapter(merchant.store) ? await merchant.store.open() : structuredClone(merchant.store ?? new Map());
  const opening: Opening<unknown> = {
    sim,
    fetch: network.fetch,
    store,
    url: SHOP,
    now: () => new Date(),
    timeout: (duration) =>
      AbortSignal.timeout(typeof duration === "number" ? duration : durationMilliseconds(duration)),
    sleep: async () => undefined,
  };
  sim.connect(SHOP, (await merchant.open(opening)) as FetchHandler);
  const { visit } = sim;
  const ids = new Set<string>();
  const notes = new Map<string, ActContext["notes"]>();
  /** The pages that customers have left open. */
  const open: (() => Promise<void>)[] = [];

  const follow = async (answer: Response, { method, pages = {} }: ActStep): Promise<void> => {
    const { page = "pay", challenge = "pass" } = pages;
    let next = await leadsTo(answer, sim);
    for (let redirects = 0; next !== undefined && redirects < MOST_REDIRECTS; redirects += 1) {
      if (!next.startsWith(`${sim.baseUrl}/`)) next = await leadsTo(await visit(next), sim);
      else {
        const does = next.includes("/authenticate/") ? challenge : page;
        if (does === "leave") return;
        const { customer } = sim;
        const url: string = next;
        const shown = await {
          pay: () => customer.pay(url, method),
          cancel: () => customer.cancel(url),
          pass: () => customer.authenticate(url),
          fail: () => customer.failAuthentication(url),
        }[does]();
        next = shown.redirectedTo?.startsWith(`${sim.baseUrl}/`) === true ? shown.redirectedTo : undefined;
      }
    }
  };

  const perform = async (step: ActStep): Promise<void> => {
    const { act, id, method, plan = plans[0] } = step;
    ids.add(id);
    const own: Map<string, unknown> = notes.get(id) ?? new Map<string, unknown>();
    notes.set(id, own);
    const customer = { name: `Customer of ${id}`, email: `${id}@customer.example`, phone: "+639171234567" };
    const context = {
      visit,
      id,
      method,
      plan,
      amount: 50_000,
      quantity: 1,
      customer,
      notes: own,
    };
    const answer = await acts[act]?.(context);
    if (answer === undefined) return;
    if (step.pages?.later === true) open.push(() => follow(answer, step));
    else await follow(answer, step);
  };

  const passTo = async (moment: number): Promise<void> => {
    if (moment > Date.parse(sim.clock.now())) await sim.clock.advanceTo(new Date(moment).toISOString());
  };

  return {
    perform: async (step: Step): Promise<void> => {
      if (step.kind === "wait") await passTo(Date.parse(sim.clock.now()) + step.milliseconds);
      else if (step.kind === "renewal") {
        const end = sim.subscriptions.last()?.currentPeriodEnd ?? sim.clock.now();
        await passTo(Date.parse(end) + step.after);
      } else if (step.kind !== "counter") {
        const left = open.splice(0);
        await Promise.all((step.kind === "act" ? [step] : step.steps).map(perform));
        for (const goOn of left) await goOn();
      }
    },
    runJobs: async (): Promise<void> => {
      for (const { run } of jobs) await run({ visit });
    },
    books: async (): Promise<unknown> => merchant.books({ visit, store, ids: [...ids] }),
  };
}
