import type { SubscriptionView } from "../../simulator/payment-service.ts";
import type { Books } from "../options.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { NoAnswer } from "../../merchant/process/merchant-process.ts";
import type { Point } from "../../troubles/point.ts";
import type { ChosenValues } from "./chosen-values.ts";
import type { HostedPage } from "./pages.ts";
import type { Forgery } from "./taken-forgeries.ts";
import type { Telling } from "./tellings.ts";
import { later, passing } from "./time-in-words.ts";

export interface ObservedCall {
  /** The route; undefined for a path that the service does not have. */
  readonly route: string | undefined;
  /** The method and the path. */
  readonly what: string;
  /** When it reached the service, in milliseconds since 1970. */
  readonly at: number;
  /** The id of the customer that the call is about. */
  readonly id: string | undefined;
  /** The status of the answer; undefined when none came. */
  status: number | undefined;
  /** What made the merchant call. Calls with the same cause come from the same request, event or run of a job. */
  readonly cause: object | undefined;
  /** When the answer came, and how many calls had been made by then; undefined when none came. */
  answeredAt?: number;
  answeredAfter?: number;
}

/** An event that the merchant handled for so long that the service stopped waiting. */
export interface LateAnswer {
  readonly type: string;
  /** When the event reached the merchant, and when the service stopped waiting, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** The merchant's books at one moment. */
export interface BooksReading {
  /** In milliseconds since 1970. */
  readonly at: number;
  /**
   * `acted`: right after an act. `unforged` and `forged`: right before and after a forged payment. `rested`: when
   * nothing more was due. `end`: after all faults ended.
   */
  readonly moment: "opened" | "acted" | "unforged" | "forged" | "rested" | "end";
  /** How many sentences of the story came before. */
  readonly told: number;
  readonly books: Books;
  /** The service's subscriptions at this moment. */
  readonly subscriptions: readonly SubscriptionView[];
  /** How many runs of jobs had ended. */
  readonly runsOfJobs: number;
}

/** A request that the merchant's program has not answered. */
export interface UnansweredRequest {
  readonly kind: "act" | "event" | "job" | "open" | "books";
  /** The method and the path, without the query. */
  readonly what: string;
  readonly id: string | undefined;
}

/** What a customer did, and the result. */
export interface ObservedAct {
  readonly act: string;
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The plan that the act asks for. */
  readonly plan: string;
  /** The last request that the act made, as its method and its path, and the status of the answer. */
  request?: { readonly what: string; status?: number };
  /** What the act itself threw, and not the merchant's program. */
  threw?: unknown;
  /** What the act read of the price of one, in centavos, and of how many are ordered. */
  chosen?: Partial<ChosenValues>;
  /** The price in the books right after the act, in centavos. */
  amount?: number;
  /** The status that the merchant answered; undefined when it did not answer. */
  status?: number;
  /** Whether the service then waited for the customer on the page of a bank or wallet. */
  hasChallenge?: boolean;
  /** Whether the merchant sent the customer to a page of the service. */
  isLed?: boolean;
  /** The hosted page to which the merchant sent the customer. */
  page?: HostedPage;
  /** The beginning of the merchant's answer, unless it was a success. */
  said?: string;
}

/** The timeline appends this to a job's request. */
export const A_JOB = " (a job)";

export interface RunOfJob {
  readonly job: object;
  /** When it began, in milliseconds since 1970. */
  readonly from: number;
  /** Whether all faults had ended by then. */
  readonly isHealed: boolean;
  /** How the job failed: a 5xx answer, or an error; undefined when it did not fail. */
  readonly failure: string | undefined;
}

/** Something that the merchant did, for the timeline. */
export interface MerchantNote {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** How many entries of the service's journal came before. */
  readonly after: number;
  readonly text: string;
}

/** Everything observed in one story. */
export class Observations {
  readonly points: Point[] = [];
  readonly calls: ObservedCall[] = [];
  readonly lateAnswers: LateAnswer[] = [];
  readonly acts: ObservedAct[] = [];
  readonly readings: BooksReading[] = [];
  /** What `books` threw when they were read last; undefined when they could be read. */
  unreadable: unknown;
  /** The customer who comes after all faults have ended. */
  lastCustomer:
    | {
        readonly id: string;
        readonly act: string;
        /** How many of the merchant's notes came before. */
        readonly notes: number;
      }
    | undefined;
  /** The result of each run of a job, in the order in which they ended. */
  readonly runsOfJobs: RunOfJob[] = [];
  /** Whether all faults have ended. */
  isHealed = false;
  /** The requests that the merchant's running program has not answered. */
  readonly unanswered = new Set<UnansweredRequest>();
  /** What came out of the merchant's program, such as an error of its handler. */
  readonly thrownByMerchant = new WeakSet<Error>();
  /** What the merchant began and would never have ended, each in one sentence. */
  readonly endless: string[] = [];
  /** Whether the story was broken off because the merchant did too much. */
  neverRests = false;
  /** How it did too much; undefined when something else broke the story off. */
  tooMuch: string | undefined;
  /** The customer ids, by the ids of their payments, sessions and subscriptions. */
  readonly owners = new Map<string, string>();
  /** The ids of payments, sessions and subscriptions that the service cannot read for days. */
  readonly unreadableAtService = new Set<string>();
  /** The ids of payments and subscriptions that another system of the same merchant created. */
  readonly foreign = new Set<string>();
  /** The points after which the customer could pay, or the service waited for the customer, by name. */
  readonly openAfter = new Set<string>();
  /** What acts have read of the values that customers choose, such as `order amount`. */
  readonly reads = new Set<string>();
  readonly notes: MerchantNote[] = [];
  /** How many journal entries of the service came before the first trouble; undefined when none has struck. */
  troubleAfter: number | undefined;
  /** The story so far, in sentences. */
  readonly told: string[] = [];
  /** What the last customer did, in sentences. */
  readonly toldOfLast: string[] = [];
  /** What the merchant's answers told customers about their orders. */
  readonly tellings: Telling[] = [];
  /** The deliveries that the merchant had to refuse. */
  readonly forgeries: Forgery[] = [];
  /** Secrets that the merchant sent to a customer. */
  readonly leaks: string[] = [];
  /** The uncaught errors of the merchant's program. */
  readonly crashes: string[] = [];
  readonly #counts = new Map<string, number>();
  /** Up to which moment the story has told how time passed; undefined before its first sentence. */
  #toldUntil: number | undefined;
  readonly #now: () => number;

  /** @param now the virtual time, in milliseconds since 1970 */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether an act threw this because the merchant's program failed, or gave no answer. */
  isOfMerchant(error: unknown): boolean {
    return error instanceof NoAnswer || (error instanceof Error && this.thrownByMerchant.has(error));
  }

  /** How often the story has passed points of this kind and subject. */
  passed(kind: Point["kind"], subject: string): number {
    return this.#counts.get(`${kind} ${subject}`) ?? 0;
  }

  /** Notes that the story passes a point, and returns the point with its number. */
  passes(kind: Point["kind"], subject: string): Point {
    const occurrence = this.passed(kind, subject) + 1;
    this.#counts.set(`${kind} ${subject}`, occurrence);
    const point = { kind, subject, occurrence };
    if (this.lastCustomer === undefined) this.points.push(point);
    return point;
  }

  /** Waits for a run of a job, and notes its result. */
  async noteRun(job: object, running: Promise<unknown>): Promise<void> {
    const { isHealed } = this;
    const from = this.#now();
    const failure = await running.then(
      (answer) => (answer instanceof Response && answer.status >= 500 ? `it answered ${answer.status}` : undefined),
      (error: unknown) => `it threw ${messageOf(error)}`,
    );
    this.runsOfJobs.push({ job, from, isHealed, failure });
  }

  /** Notes what would never have ended, once. */
  waitsForEver(what: string): void {
    if (!this.endless.includes(what)) this.endless.push(what);
  }

  /**
   * Adds a sentence to the story. If time has passed since the one before, it says how much.
   * @param at when it happened, in milliseconds since 1970
   */
  tell(sentence: string, at = this.#now()): void {
    if (this.lastCustomer === undefined) this.told.push(later(at - (this.#toldUntil ?? at), sentence));
    else this.toldOfLast.push(`In the end ${sentence}`);
    this.timeIsTold(at);
  }

  /** Adds a sentence for the time that has passed since the last one, if it is worth telling. */
  tellTime(): void {
    const sentence = passing(this.#now() - (this.#toldUntil ?? this.#now()));
    if (sentence !== undefined) this.told.push(sentence);
    this.timeIsTold();
  }

  /** Notes that the story has told how the time up to this moment passed. */
  timeIsTold(at = this.#now()): void {
    this.#toldUntil = Math.max(at, this.#toldUntil ?? at);
  }
}
