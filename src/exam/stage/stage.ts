import { withGlobal } from "@sinonjs/fake-timers";
import { createSimulator } from "../../simulator/simulator.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { FetchHandler } from "../../receivers/merchant-app.ts";
import { requestOfVisit } from "../../receivers/visit.ts";
import type { Visit } from "../../receivers/visit.ts";
import type { Books, Opening } from "../options.ts";
import type { ReadOptions } from "../read-options.ts";
import type { PlacedTrouble, Point, Story } from "../story.ts";
import { troubleOf } from "../troubles/troubles.ts";
import type { Plan, Trouble } from "../troubles/trouble.ts";
import { Calls } from "./calls.ts";
import { Course } from "./course.ts";
import { Deliveries } from "./deliveries.ts";
import { HeldWork } from "./held-work.ts";
import { handlerOf } from "./merchant-app.ts";
import { MerchantProcess } from "./merchant-process.ts";
import type { Cause } from "./merchant-process.ts";
import { MerchantTime } from "./merchant-time.ts";
import { Observations } from "./observations.ts";
import type { BooksReading } from "./observations.ts";
import { gated, gatedDatabase, isAdapter } from "./store.ts";
import type { WriteGate } from "./store.ts";

/** Where the merchant's app is. */
export const SHOP = "https://shop.example";

/** How long a merchant's program stays down after a crash, in milliseconds. */
const DOWN = 60_000;
/** How long a customer waits for an answer, in milliseconds. */
export const PATIENCE = 120_000;

/** Why a request got no answer: the program that had it ended, or it never answered. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** The stage of one story: a world of the service, the merchant's program, and everything between them. */
export class Stage {
  readonly options: ReadOptions;
  readonly story: Story;
  readonly sim: Simulator;
  readonly held: HeldWork;
  readonly time: MerchantTime;
  readonly course: Course;
  readonly seen = new Observations();
  readonly calls: Calls;
  readonly deliveries: Deliveries;
  readonly ids = new Set<string>();
  readonly #date: ReturnType<ReturnType<typeof withGlobal>["install"]> | undefined;
  #store: unknown;
  #process: MerchantProcess | undefined;
  #handler: FetchHandler | undefined;
  #started = 0;

  constructor(options: ReadOptions, story: Story) {
    this.options = options;
    this.story = story;
    const overlaps = story.troubles.some(({ trouble }) => trouble === "overlap");
    this.sim = createSimulator({
      seed: options.seed,
      recording: false,
      receiverTimeout: 60_000,
      assumptions: { ...(overlaps ? { "webhook.order": "concurrent" } : {}), ...options.assumptions },
    });
    const { engine } = this.sim.internals.parts;
    this.held = new HeldWork(story.schedule);
    this.time = new MerchantTime(() => engine.now);
    this.#date = options.fakesDate ? withGlobal(globalThis).install({ toFake: ["Date"], now: engine.now }) : undefined;
    this.course = new Course(this.sim, this.held, this.time, (now) => this.#date?.setSystemTime(now));
    this.calls = new Calls(this);
    this.deliveries = new Deliveries(this);
    this.sim.connect(SHOP, { fetch: (request) => this.deliveries.arrives(request) });
  }

  /** Opens the store and starts the merchant's program. */
  async open(): Promise<void> {
    const { store } = this.options;
    this.#store = isAdapter(store) ? await store.open() : structuredClone(store ?? new Map());
    for (const placed of this.story.troubles) {
      if (placed.point.kind === "event") this.#planEventFault(placed);
      if (placed.point.kind === "story") this.tell(placed);
    }
    await this.#start();
  }

  async close(): Promise<void> {
    this.#process?.end();
    this.#date?.uninstall();
    const { store } = this.options;
    if (isAdapter(store)) await store.close?.(this.#store);
    await this.sim.close();
  }

  /** What reads the store without being seen. */
  get storeItself(): unknown {
    return this.#store;
  }

  get isUp(): boolean {
    return this.#handler !== undefined;
  }

  /** Notes that the story passes a point, and returns what goes wrong there. */
  passes(kind: Point["kind"], subject: string): readonly Plan[] {
    const point = this.seen.passes(kind, subject);
    return this.plansAt(point).map((trouble) => trouble.plan);
  }

  /** Returns the troubles of the story at a point, and tells of them. */
  plansAt({ kind, subject, occurrence }: Point): readonly Trouble[] {
    return this.story.troubles
      .filter(({ point }) => point.kind === kind && point.subject === subject && point.occurrence === occurrence)
      .flatMap((placed) => this.tell(placed) ?? []);
  }

  tell({ point, trouble: name }: PlacedTrouble): Trouble | undefined {
    const trouble = troubleOf(point.kind, name);
    if (trouble !== undefined) this.seen.tell(trouble.sentence(point));
    return trouble;
  }

  /** Ends the merchant's program, which starts again after a minute. */
  crash(): void {
    this.#process?.end();
    this.#process = undefined;
    this.#handler = undefined;
    this.time.after(DOWN, () => void this.#start());
  }

  /** Sends the merchant a request, and waits for its answer or for the end of its program. */
  async exchange(cause: Omit<Cause, "waiting">, request: Request): Promise<Response> {
    const process = this.#process;
    const handler = this.#handler;
    if (process === undefined || handler === undefined) throw new NoAnswer("The merchant's program does not run.");
    return process.run(cause, async (begun) => {
      const givenUp = Promise.withResolvers<"gave up">();
      const exchange = { cause: begun, giveUp: () => givenUp.resolve("gave up") };
      this.course.exchanges.add(exchange);
      try {
        const answer = await Promise.race([(async () => handler(request))(), process.ended, givenUp.promise]);
        if (typeof answer === "string")
          throw new NoAnswer(
            `The merchant's program ${answer === "ended" ? "ended before it answered" : "never answered"}.`,
          );
        return answer;
      } finally {
        this.course.exchanges.delete(exchange);
      }
    });
  }

  /** Returns a function that visits the merchant's app for a reason. */
  visitorFor(cause: Omit<Cause, "waiting">): Visit {
    return async (...given: readonly unknown[]): Promise<Response> => {
      const request = requestOfVisit(given, [SHOP]);
      if (cause.kind !== "books") await this.held.turn();
      const response = await this.exchange(cause, request);
      return response;
    };
  }

  /** Reads the merchant's books, if its program runs. */
  async readBooks(moment: BooksReading["moment"]): Promise<Books | undefined> {
    if (!this.isUp) return undefined;
    const { time, seen } = this;
    const visit = this.visitorFor({ kind: "books" });
    const reading = (async () => this.options.books({ visit, store: this.#store, ids: [...this.ids] }))();
    const isRead = await this.course.until(reading, time.now + PATIENCE);
    if (!isRead) return undefined;
    const books = structuredClone(await reading);
    seen.readings.push({ at: time.now, moment, told: seen.told.length, books });
    return books;
  }

  /** Runs the merchant's jobs, one after the other. */
  async runJobs(): Promise<void> {
    const visit = this.visitorFor({ kind: "job" });
    for (const { run } of this.options.jobs ?? []) {
      const running = (async () => run({ visit }))().catch(() => undefined);
      await this.course.until(running, this.time.now + PATIENCE);
    }
  }

  async #start(): Promise<void> {
    this.#started += 1;
    const process = new MerchantProcess(this.#started);
    this.#process = process;
    const { time, sim } = this;
    const opening: Opening<unknown> = {
      sim,
      fetch: this.calls.fetchOf(process),
      now: () => new Date(time.now),
      timeout: (duration) => this.#timeout(duration),
      sleep: (duration) => process.waitFor(() => new Promise((resolve) => time.after(duration, resolve))),
      store: this.#storeFor(process),
      url: SHOP,
    };
    const opened = process.run({ kind: "open" }, async () => handlerOf(SHOP, await this.options.open(opening)));
    if (this.#started === 1) await this.course.until(opened, time.now + PATIENCE);
    const handler = await Promise.race([opened, process.ended]);
    if (handler !== "ended") this.#handler = handler;
  }

  #storeFor(process: MerchantProcess): unknown {
    let plans: readonly Plan[] = [];
    const gate: WriteGate = {
      isOpen: () => process.isAlive,
      before: () => {
        plans = this.passes("write", "");
        if (plans.some((plan) => plan.does === "crash" && plan.when === "before")) this.crash();
        return process.isAlive;
      },
      after: () => {
        if (plans.some((plan) => plan.does === "crash" && plan.when === "after")) this.crash();
      },
    };
    const { store } = this.options;
    return isAdapter(store) ? gatedDatabase(this.#store, store, gate) : gated(this.#store, gate);
  }

  #timeout(duration: Parameters<Opening["timeout"]>[0]): AbortSignal {
    const controller = new AbortController();
    this.time.after(duration, () =>
      controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    );
    return controller.signal;
  }

  /** The service counts its events itself. */
  #planEventFault(placed: PlacedTrouble): void {
    const { subject, occurrence } = placed.point;
    const plan = troubleOf("event", placed.trouble)?.plan;
    if (plan?.does !== "fault") return;
    const isOfAttempt = /slow|answer|refused|corrupt|secret|stamp/.test(plan.fault.kind);
    const which = isOfAttempt ? { after: 0, times: 1 } : { nth: occurrence };
    if (isOfAttempt && occurrence > 1) return;
    this.sim.faults.add({ ...plan.fault, event: subject, ...which } as Parameters<Simulator["faults"]["add"]>[0]);
    this.tell(placed);
  }
}
