import type { SubscriptionView } from "../../simulator/payment-service.ts";
import type { Books } from "../options.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import type { Point } from "../story.ts";

/** A call of the merchant to the service. */
export interface ObservedCall {
  /** The route; undefined for a path that the service does not have. */
  readonly route: string | undefined;
  /** The method and the path. */
  readonly what: string;
  /** When it reached the service, in milliseconds since 1970. */
  readonly at: number;
  /** The id of the customer whom it was about. */
  readonly id: string | undefined;
  /** The answer's status; undefined when none came. */
  status: number | undefined;
  /** Why the merchant made it. Calls with the same cause come from one request, event or run of a job. */
  readonly cause: object | undefined;
  /** When the answer came, and how many calls had been made by then; undefined when none came. */
  answeredAt?: number;
  answeredAfter?: number;
}

/** An event that the merchant's program had for so long that the service gave up waiting. */
export interface LateAnswer {
  readonly type: string;
  /** When the event reached the program, and when the service gave up, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** What the books said at a moment. */
export interface BooksReading {
  /** In milliseconds since 1970. */
  readonly at: number;
  /**
   * `acted`: right after an act. `unforged` and `forged`: right before and after a forged payment. `rested`: when nothing was due any more.
   * `end`: after all faults were gone.
   */
  readonly moment: "opened" | "acted" | "unforged" | "forged" | "rested" | "end";
  /** How many sentences of the story had been told. */
  readonly told: number;
  readonly books: Books;
  /** The subscriptions of the service at this moment. */
  readonly subscriptions: readonly SubscriptionView[];
  /** How often the merchant's jobs had run. */
  readonly turnsOfJobs: number;
}

/** A request to the merchant that its program has not answered. */
export interface UnansweredRequest {
  readonly kind: "act" | "event" | "job" | "open" | "books";
  /** The method and the path, without the query. */
  readonly what: string;
  readonly id: string | undefined;
}

/** What a customer did, and what came of it. */
export interface ObservedAct {
  readonly act: string;
  readonly id: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The plan that the act names. */
  readonly plan: string;
  /** The price in the books right after the act, in centavos. */
  amount?: number;
  /** The status that the merchant answered; undefined when it did not answer. */
  status?: number;
  /** Whether the service then waited for the customer on a page of a bank or a wallet. */
  hasChallenge?: boolean;
  /** Whether the merchant led the customer to a page of the service. */
  isLed?: boolean;
  /** The status of the hosted page to which the merchant led the customer, if nothing could be paid there any more. */
  closedPage?: string;
  /** The beginning of the merchant's answer, unless it was a success. */
  said?: string;
}

/** What the timeline says after the request of a job. */
export const A_JOB = " (a job)";

/** One run of a job of the merchant's. */
export interface RunOfJob {
  readonly job: object;
  /** Whether all faults were gone by then. */
  readonly isHealed: boolean;
  /** What it failed with: an answer of 5xx, or an error; undefined when it did not fail. */
  readonly failure: string | undefined;
}

/** Something that the merchant did. */
export interface MerchantNote {
  /** In milliseconds since 1970. */
  readonly at: number;
  /** After how many entries of the service's journal. */
  readonly after: number;
  readonly text: string;
}

/** Everything that was seen in one story. */
export class Observations {
  readonly points: Point[] = [];
  readonly calls: ObservedCall[] = [];
  readonly lateAnswers: LateAnswer[] = [];
  readonly acts: ObservedAct[] = [];
  readonly readings: BooksReading[] = [];
  /** What `books` threw the last time. */
  unreadable: unknown;
  /** The customer who came after all faults were gone. */
  lastCustomer:
    | {
        readonly id: string;
        readonly act: string;
        /** How many of the merchant's notes came before. */
        readonly notes: number;
      }
    | undefined;
  /** When the merchant's jobs ran, in milliseconds since 1970. */
  readonly turnsOfJobs: number[] = [];
  /** What came of each run of a job. */
  readonly runsOfJobs: RunOfJob[] = [];
  /** Whether all faults are gone. */
  isHealed = false;
  /** The requests that the merchant's running program has not answered. */
  readonly unanswered = new Set<UnansweredRequest>();
  /** Whether the merchant did so much that the story was broken off. */
  neverRests = false;
  /** The ids of the customers, by the ids of their payments, sessions and subscriptions. */
  readonly owners = new Map<string, string>();
  /** The payments and subscriptions that another system of the same merchant made, by their ids. */
  readonly foreign = new Set<string>();
  /** The acts that led the customer to pay, or after which the service waited for that, by the names of their points. */
  readonly openAfter = new Set<string>();
  /** What the merchant did, for the timeline. */
  readonly notes: MerchantNote[] = [];
  /** After how many entries of the service's journal the first trouble happened; undefined when none has. */
  troubleAfter: number | undefined;
  /** What happened, in sentences. */
  readonly told: string[] = [];
  /** What the last customer did, in sentences. */
  readonly toldOfLast: string[] = [];
  /** Secrets that the merchant sent to a customer. */
  readonly leaks: string[] = [];
  /** The uncaught errors of the merchant's program. */
  readonly crashes: string[] = [];
  readonly #counts = new Map<string, number>();

  /** How often the story has passed points of a kind and subject. */
  passed(kind: Point["kind"], subject: string): number {
    return this.#counts.get(`${kind} ${subject}`) ?? 0;
  }

  /** Notes that the story passes a point, and returns it with its number. */
  passes(kind: Point["kind"], subject: string): Point {
    const occurrence = this.passed(kind, subject) + 1;
    this.#counts.set(`${kind} ${subject}`, occurrence);
    const point = { kind, subject, occurrence };
    if (this.lastCustomer === undefined) this.points.push(point);
    return point;
  }

  /** Waits for a run of a job, and notes what came of it. */
  async noteRun(job: object, running: Promise<unknown>): Promise<void> {
    const { isHealed } = this;
    const failure = await running.then(
      (answer) => (answer instanceof Response && answer.status >= 500 ? `it answered ${answer.status}` : undefined),
      (error: unknown) => `it threw ${messageOf(error)}`,
    );
    this.runsOfJobs.push({ job, isHealed, failure });
  }

  tell(sentence: string): void {
    if (this.lastCustomer === undefined) this.told.push(sentence.charAt(0).toUpperCase() + sentence.slice(1));
    else this.toldOfLast.push(`In the end ${sentence}`);
  }
}
