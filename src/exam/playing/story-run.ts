import { holdDate } from "../../kit/base/runtime/fakes.ts";
import type { HeldDate } from "../../kit/base/runtime/fakes.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { createSimulator } from "../../report/create-simulator.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { isResponse } from "../../kit/receivers/merchant-app.ts";
import { requestOfVisit } from "../../kit/receivers/visit.ts";
import type { Visit } from "../../kit/receivers/visit.ts";
import type { Books } from "../options.ts";
import { readBooks } from "../read-books.ts";
import { possibleFor } from "../possible-troubles.ts";
import type { ReadOptions } from "../read-options.ts";
import type { PlacedTrouble, Story } from "../story.ts";
import { changesOf } from "./books-in-words.ts";
import { Calls } from "./calls.ts";
import { actInWords, whyInWords } from "./cause-in-words.ts";
import { Computations } from "./computations.ts";
import { Course } from "./course.ts";
import { Deliveries } from "./deliveries.ts";
import { HeldWork } from "./held-work.ts";
import { Jobs } from "./jobs.ts";
import { NoAnswer, doing } from "../../merchant/process/merchant-process.ts";
import type { Cause, MerchantProcess } from "../../merchant/process/merchant-process.ts";
import { MerchantTime } from "./merchant-time.ts";
import { merchantWork } from "../../merchant/process/merchant-work.ts";
import { Observations } from "./observations.ts";
import type { BooksReading } from "./observations.ts";
import { settingsOf } from "./settings-of-story.ts";
import { PATIENCE, Programs, SHOP } from "./programs.ts";
import type { Program } from "./programs.ts";
import { TroublesOfStory } from "./troubles-of-story.ts";
import { Watch } from "./watch.ts";

/** The run of one story: the service's world, the merchant's program, and everything between them. */
export class StoryRun {
  readonly options: ReadOptions;
  readonly story: Story;
  readonly sim: Simulator;
  readonly held: HeldWork;
  readonly time: MerchantTime;
  readonly course: Course;
  readonly seen = new Observations(() => this.time.now);
  readonly calls: Calls;
  readonly deliveries: Deliveries;
  readonly jobs: Jobs;
  readonly ids = new Set<string>();
  readonly watch: Watch;
  readonly troubles: TroublesOfStory;
  readonly programs: Programs;
  readonly #computations = new Computations();
  readonly #date: HeldDate | undefined;
  /** The run of the program that gave each answer. */
  readonly #answeredBy = new WeakMap<Response, MerchantProcess>();
  #isClosed = false;
  /** What broke the story off, such as a wait in real time that took too long. */
  brokenOffBy: Error | undefined;

  constructor(options: ReadOptions, story: Story) {
    this.options = options;
    this.story = story;
    this.sim = createSimulator(settingsOf(options, story, SHOP));
    options.running.told = this.seen.told;
    options.running.story = this;
    const { engine } = this.sim.internals.parts;
    this.troubles = new TroublesOfStory(story, this.sim, this.seen, possibleFor(options));
    this.held = new HeldWork(story.schedule);
    this.time = new MerchantTime(() => engine.now);
    this.#date = options.fakesDate ? holdDate(() => this.time.now + (doing.value?.process.clock ?? 0)) : undefined;
    this.course = new Course(this.sim, this.held, this.time, {
      ...options,
      onTooLong: (waited) =>
        this.breakOff(options.waits.tooLong(`the work ${merchantWork.place?.what ?? "of the merchant"}`, waited)),
      turns: () => this.programs.turns,
      computations: this.#computations,
      onEndless: (what) => this.seen.endless.push(what),
    });
    this.calls = new Calls(this);
    this.programs = new Programs(this, this.#computations);
    this.deliveries = new Deliveries(this);
    this.jobs = new Jobs(this, options.jobs ?? []);
    this.watch = new Watch(this.sim, this.seen, () => this.time.now);
    this.sim.connect(SHOP, { fetch: (request) => this.deliveries.arrives(request) });
  }

  /** Opens the store and starts the merchant's program. */
  async open(): Promise<void> {
    await this.options.storage.begin();
    this.troubles.begin();
    await this.programs.open();
  }

  /** A second call does nothing. Work that was interrupted never comes to its own. What goes on of the story then finds no program. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.programs.close();
    this.#date?.end();
    this.#computations.close();
    this.calls.close();
    await this.options.storage.end();
    await this.sim.close();
  }

  note(text: string): void {
    this.seen.notes.push({ at: this.time.now, after: this.sim.internals.parts.engine.journal.length, text });
  }

  /** Ends the story as soon as it can, and lets it throw this error. */
  breakOff(error: unknown): void {
    this.brokenOffBy ??= error instanceof Error ? error : new Error(messageOf(error));
    this.course.neverRests = true;
  }

  crashIf(struck: readonly PlacedTrouble[], when: "before" | "after", process: MerchantProcess | undefined): void {
    if (struck.some(({ trouble }) => trouble.crash === when)) this.programs.crash(process);
  }

  /**
   * Sends a request to the merchant, and waits for its answer or for the end of its program.
   * @param event the type of event that the request delivers
   * @param program the program that gets it
   */
  async exchange(
    cause: Omit<Cause, "waiting">,
    request: Request,
    event = "an event",
    program = this.programs.next(),
  ): Promise<Response> {
    const { process, handler } = program ?? {};
    if (process === undefined || handler === undefined) throw new NoAnswer("The merchant's program does not run.");
    const isSeen = cause.kind !== "books";
    if (isSeen) {
      this.time.stir();
      if (cause.kind !== "job") this.jobs.stir();
      this.note(`${request.method} ${request.url.slice(SHOP.length)}${whyInWords(cause, event)}`);
    }
    const from = this.time.now;
    const { pathname } = new URL(request.url);
    const why = whyInWords(cause, event) || actInWords(cause);
    const what = `while it answered ${request.method} ${pathname}${why}`;
    return process.run({ ...cause, what }, async (begun) => {
      const givenUp = Promise.withResolvers<"gave up">();
      const exchange = { cause: begun, giveUp: () => givenUp.resolve("gave up") };
      this.course.exchanges.add(exchange);
      this.#computations.begins(begun);
      const work = (async () => handler(request))();
      this.watch.begins(process, cause, request, work);
      try {
        const answer = await Promise.race([work, process.ended, givenUp.promise]);
        if (answer === "ended") throw new NoAnswer("The merchant's program ended before it answered.");
        if (answer === "gave up") {
          // A program that waits for nothing may still be working where the exam cannot see it, such as in a thread.
          if (cause.kind === "event" && begun.waiting > 0)
            this.seen.lateAnswers.push({ type: event, from, to: this.time.now });
          throw new NoAnswer("The merchant's program never answered.");
        }
        if (!isResponse(answer)) {
          const error = new CentavoError(
            "INVALID_OPTION",
            `exam: the merchant's app answered ${request.method} ${pathname} with ${inWords(answer)}, which is not a Response.`,
          );
          this.breakOff(error);
          throw error;
        }
        if (isSeen) this.note(`answers ${answer.status}`);
        this.#answeredBy.set(answer, process);
        return answer;
      } finally {
        merchantWork.ends();
        this.course.exchanges.delete(exchange);
        this.#computations.ends(begun);
      }
    });
  }

  /** Whether the body of an answer may stay unfinished: its program has died meanwhile, or it is a stream of server-sent events. */
  mayStayOpen(answer: Response): boolean {
    const isOfEvents = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
    return isOfEvents || this.#answeredBy.get(answer)?.isAlive === false;
  }

  /**
   * Returns a function that visits the merchant's app for a reason.
   * @param program the program that gets the requests; by default one after the other
   */
  visitorFor(cause: Omit<Cause, "waiting">, program?: Program): Visit {
    return async (...given: readonly unknown[]): Promise<Response> => {
      const request = requestOfVisit(given, [SHOP]);
      if (cause.kind !== "books") await this.held.turn();
      return this.exchange(cause, request, undefined, program);
    };
  }

  /** Reads the merchant's books, if its program is running. */
  async readBooks(moment: BooksReading["moment"]): Promise<Books | undefined> {
    const [program] = this.programs.up;
    const { time, seen } = this;
    seen.unreadable = undefined;
    if (program === undefined) return undefined;
    const visit = this.visitorFor({ kind: "books" }, program);
    merchantWork.leavesFor("books");
    const { storage } = this.options;
    const read = async (): Promise<unknown> => {
      const store = storage.current;
      try {
        return await this.options.books({ visit, store, ids: [...this.ids] });
      } catch (error) {
        // The program whose connection this was has ended, and another one goes on.
        if (storage.current !== store && storage.current !== undefined) return read();
        throw error;
      }
    };
    const reading = read();
    // Whoever reads a database waits for it, and not for time.
    const isRead = await this.course.until(reading, time.now + PATIENCE, time.now);
    this.troubles.tellStruck();
    if (!isRead) return undefined;
    const given = await reading.catch((error: unknown) => {
      seen.unreadable = error;
      return undefined;
    });
    if (given === undefined && seen.unreadable !== undefined) return undefined;
    const books = readBooks(given);
    for (const change of changesOf(seen.readings.at(-1)?.books, books)) this.note(change);
    seen.readings.push({
      at: time.now,
      moment,
      told: seen.told.length,
      books,
      subscriptions: this.sim.subscriptions.list(),
      runsOfJobs: seen.runsOfJobs.length,
    });
    return books;
  }
}
