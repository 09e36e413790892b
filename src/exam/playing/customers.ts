import type { ActName, Books, OrderInBooks } from "../options.ts";
import { nameOfPoint } from "../../troubles/point.ts";
import { isCrowd } from "../story.ts";
import type { ActStep, OnPages, Step } from "../story.ts";
import type { Acting } from "../troubles/trouble.ts";
import { merchantWork } from "../../merchant/process/merchant-work.ts";
import { BETWEEN_ACTS, PATIENCE, SHOP } from "./programs.ts";
import type { StoryRun } from "./story-run.ts";
import type { Visit } from "../../kit/receivers/visit.ts";
import { isResponse } from "../../kit/receivers/merchant-app.ts";
import { nameOf } from "./names.ts";
import { payAtTheCounter } from "./counter.ts";
import { openPayments } from "./open-payments.ts";
import { noResponse, threwAtOnce } from "./mistakes-of-acts.ts";
import { actInWords, crowdInWords } from "./acts-in-words.ts";
import { ValuesOfCustomers } from "./chosen-values.ts";
import { nextRenewal } from "./next-renewal.ts";
import { actOnPage } from "./on-page.ts";
import { hostedPage, leadsTo } from "./pages.ts";
import type { ObservedAct } from "./observations.ts";
import { bodyOf } from "./secrets.ts";

/** How many redirects in a row a browser follows. */
const MOST_REDIRECTS = 5;
/** How long after a wait the books are read, in milliseconds. */
const HOUR = 3_600_000;

const GOOD_CARD = "pm_card_approved";
/** What an act that threw, or that took too long, returned. */
const NO_ANSWER = Symbol("no answer");

/** How much of a refusal the story quotes, in characters. */
const MOST_SAID = 200;

export class Customers {
  readonly #run: StoryRun;
  /** What each customer's browser remembers, by customer id. */
  readonly #notes = new Map<string, Map<string, unknown>>();
  readonly #values: ValuesOfCustomers;
  /** The answers that led to pages which customers have left open. */
  #leftOpen: { readonly response: Response; readonly step: ActStep; readonly observed: ObservedAct | undefined }[] = [];
  /** What customers do at the moment at which an event arrives. */
  #meetings: Promise<unknown>[] = [];

  constructor(run: StoryRun) {
    this.#run = run;
    this.#values = new ValuesOfCustomers(run);
    run.deliveries.onMeeting = (act) => this.#meetings.push(this.#meet(act));
  }

  async perform(step: Step): Promise<void> {
    const { course, time } = this.#run;
    if (step.kind === "wait") {
      await this.#wait(step.milliseconds);
      return;
    }
    if (step.kind === "renewal") {
      await this.#waitForRenewal(step);
      return;
    }
    if (step.kind === "counter") {
      await payAtTheCounter(this.#run, step);
      return;
    }
    const steps = step.kind === "act" ? [step] : step.steps;
    const leftOpen = this.#leftOpen.splice(0);
    if (isCrowd(step)) this.#run.seen.tell(crowdInWords(steps));
    const acting = Promise.all(steps.map(async (each) => this.#act(each, !isCrowd(step))));
    // A merchant's error is part of the story. Any other error is a defect of the exam.
    if (await this.#inTime(acting)) await acting;
    this.#notePrices(steps, await this.#run.readBooks("acted"));
    await course.passTo(time.now + BETWEEN_ACTS);
    await this.#rest();
    for (const { response, step: earlier, observed } of leftOpen) {
      await this.#follow(response, earlier, {}, observed);
      await this.#rest();
    }
    await this.#run.readBooks("rested");
  }

  async #waitForRenewal({ id, after, isToldLate = false }: Extract<Step, { kind: "renewal" }>): Promise<void> {
    const { sim, seen, time } = this.#run;
    const late = isToldLate ? sim.faults.add({ kind: "webhook.delay", delay: "1 day", event: "*" }) : undefined;
    if (isToldLate) seen.troubleAfter ??= sim.journal.length;
    await this.#wait(Math.max(0, nextRenewal(this.#run, id) + after - time.now));
    if (isToldLate) seen.tell("The events of the renewal are a day late.");
    late?.remove();
  }

  async #wait(milliseconds: number): Promise<void> {
    const { course, time } = this.#run;
    const from = time.now;
    await course.passTo(from + milliseconds);
    this.#run.jobs.stir();
    await course.passTo(from + milliseconds + HOUR);
    await this.#rest();
    await this.#run.readBooks("rested");
  }

  /** Runs everything that is due now, and what customers have begun meanwhile. */
  async #rest(): Promise<void> {
    const { course } = this.#run;
    await course.rest();
    for (let met = this.#meetings.splice(0); met.length > 0; met = this.#meetings.splice(0)) {
      await this.#inTime(Promise.all(met));
      await course.rest();
    }
  }

  /** Lets the customer who acted last do something else. */
  async #meet(act: ActName): Promise<void> {
    const last = this.#run.seen.acts.at(-1);
    if (last === undefined) return;
    const step: ActStep = { kind: "act", act, id: last.id, method: GOOD_CARD, plan: last.plan };
    const response = await this.#ask(act, step);
    if (response !== undefined) await this.#follow(response, step, {});
  }

  /** Reads the price right after the act, because the merchant may change it later. */
  #notePrices(steps: readonly ActStep[], books: Books | undefined): void {
    const { seen } = this.#run;
    const orders: readonly OrderInBooks[] = books?.orders ?? [];
    for (const { id } of steps) {
      const amount = orders.find((order) => order.id === id)?.amount;
      const act = seen.acts.findLast((each) => each.id === id);
      if (amount !== undefined && act !== undefined) act.amount = amount;
    }
  }

  async #act(step: ActStep, isTold: boolean): Promise<void> {
    const run = this.#run;
    const { seen, troubles } = run;
    run.ids.add(step.id);
    if (isTold) seen.tell(actInWords(step));
    const point = seen.passes("act", step.act);
    const placed = troubles.at(point);
    for (const each of placed) troubles.happens(each, {}, nameOf(step.id));
    const strikes = placed.flatMap(({ trouble }) => trouble.onAct ?? []);
    this.#values.choose(
      step.id,
      strikes.map(({ values }) => values?.(run)),
    );
    const pages = Object.assign({ ...step.pages }, ...strikes.map((strike) => strike.pages)) as OnPages;
    const acting: Acting = {
      run,
      step,
      ask: (act, method = step.method) => this.#ask(act, { ...step, method }),
      again: (act, method = step.method) => this.#again(act, { ...step, method }, pages),
    };

    // Whoever has nothing to do first keeps the place among those who act at once.
    for (const { before } of strikes) if (before !== undefined) await before(acting);
    const openBefore = new Set(openPayments(run, step.id).map(({ id }) => id));
    const clicks = strikes.some((strike) => strike.clicks === 2) ? [step, step] : [step];
    const asked = clicks.map(({ act }) => acting.ask(act));
    const atOnce = strikes.flatMap((strike) => strike.atOnce?.(acting) ?? []);
    const responses = await Promise.all(asked);
    await Promise.all(atOnce);

    const open = openPayments(run, step.id);
    const observed = this.#latestOf(step);
    if (observed !== undefined) observed.hasChallenge = open.some(({ challenged }) => challenged !== undefined);
    for (const { beforePages } of strikes) await beforePages?.(acting);
    const leading = responses.findLast((response) => response !== undefined);
    if (leading !== undefined && pages.later === true) this.#leftOpen.push({ response: leading, step, observed });
    else if (leading !== undefined) await this.#follow(leading, step, pages, observed);
    if (observed?.isLed === true || open.some(({ id }) => !openBefore.has(id))) seen.openAfter.add(nameOfPoint(point));
    for (const { afterwards } of strikes) await afterwards?.(acting);
  }

  #latestOf({ id }: ActStep): ObservedAct | undefined {
    return this.#run.seen.acts.findLast((each) => each.id === id);
  }

  async #again(act: ActName, step: ActStep, pages: OnPages): Promise<void> {
    const { course, time } = this.#run;
    await course.passTo(time.now + BETWEEN_ACTS);
    await course.rest();
    const response = await this.#ask(act, step);
    if (response !== undefined) await this.#follow(response, step, pages);
  }

  /** Asks the merchant for something, and returns its answer if it comes in time. */
  async #ask(name: ActName, step: ActStep): Promise<Response | undefined> {
    const { id, method, plan } = step;
    const run = this.#run;
    const act = run.options.acts[name];
    if (act === undefined) return undefined;
    const observed: ObservedAct = { act: name, id, at: run.time.now, plan: plan ?? run.options.plans[0] };
    run.seen.acts.push(observed);
    const notes = this.#notes.get(id) ?? new Map<string, unknown>();
    this.#notes.set(id, notes);
    const isFirst = !run.seen.acts.some((each) => each !== observed && each.id === id);
    const visit = run.visitorFor({ kind: "act", id, act: name });
    let hasAsked = false;
    const context = {
      visit: (async (...given: Parameters<Visit>) => {
        hasAsked = true;
        return visit(...given);
      }) as Visit,
      id,
      method,
      plan: observed.plan,
      customer: { name: `Customer of ${id}`, email: `${id}@customer.example`, phone: "+639171234567" },
      notes,
    };
    merchantWork.begins(`in the act ${name} of ${id}`);
    const answer = (async () => act(this.#values.addTo(context, observed)))().then(
      (response: unknown) => response,
      (error: unknown) => {
        if (!run.seen.isOfMerchant(error)) observed.threw = error;
        // Before its first request, nothing of the merchant can have made it fail.
        if (isFirst && !hasAsked) run.breakOff(threwAtOnce(name, id, error));
        return NO_ANSWER;
      },
    );
    const response = (await this.#inTime(answer)) ? await answer : NO_ANSWER;
    if (response === NO_ANSWER) return undefined;
    if (!isResponse(response)) {
      run.breakOff(noResponse(name, response));
      return undefined;
    }
    observed.status = response.status;
    if (response.status >= 400) {
      const said = bodyOf(response);
      if (await this.#inTime(said)) observed.said = (await said).slice(0, MOST_SAID);
      else this.#bodyNeverEnds(step, response);
    }
    return response;
  }

  #bodyNeverEnds({ act, id }: ActStep, answer: Response): void {
    if (!this.#run.mayStayOpen(answer))
      this.#run.seen.waitsForEver(`The body of the answer to the act ${act} of ${id} never ended.`);
  }

  /**
   * Follows an answer as a browser does, through redirects and the service's pages.
   * @param observed the act that was answered; by default, the customer's latest
   */
  async #follow(response: Response, step: ActStep, pages: OnPages, observed = this.#latestOf(step)): Promise<void> {
    const run = this.#run;
    const leads = async (answer: Response): Promise<string | undefined> => {
      const leading = leadsTo(answer, run.sim);
      if (await this.#inTime(leading)) return leading;
      this.#bodyNeverEnds(step, answer);
      return undefined;
    };
    let next = await leads(response);
    for (let redirects = 0; next !== undefined && redirects < MOST_REDIRECTS; redirects += 1) {
      const url: string = next;
      next = undefined;
      if (observed !== undefined && url.startsWith(`${run.sim.baseUrl}/`)) {
        observed.isLed = true;
        const page = hostedPage(url, run.sim);
        if (page !== undefined) observed.page = page;
      }
      if (url.startsWith(`${run.sim.baseUrl}/`)) next = await actOnPage(run, url, step, pages);
      else if (url.startsWith(SHOP)) {
        const visited = run
          .visitorFor({ kind: "act", id: step.id })(url)
          .catch(() => undefined);
        if (await this.#inTime(visited)) {
          const shown = await visited;
          next = shown === undefined ? undefined : await leads(shown);
        }
      }
    }
  }

  async #inTime(work: Promise<unknown>): Promise<boolean> {
    const { course, time } = this.#run;
    return course.until(work, time.now + PATIENCE);
  }
}
