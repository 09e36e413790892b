import type { ValuesOfTroubles } from "../../troubles/values-in-force.ts";
import type { ShakenTest } from "./run-folder.ts";

/** The least statuses with which a call is refused, and is not served. */
export const CLIENT_ERROR = 400;
export const SERVER_ERROR = 500;

/** A call of the service that a test passed. Moments are in milliseconds of virtual time since 1970. */
export interface PassedCall {
  /** The name of its route, such as `payment-intent.confirm`. */
  readonly route: string;
  /** Counts the calls of the route from 1. */
  readonly occurrence: number;
  readonly at: number;
  readonly path: string;
  /** `test`: the test's own client made it. `handler`: the merchant made it while the clock waited for a delivery. */
  readonly by: "merchant" | "test" | "handler";
  /** The status of the answer; absent when the service did not answer. */
  readonly status?: number;
  /** The kind of fault that struck it. */
  readonly struckBy?: string;
  /** Whether the test moved the clock after it. */
  readonly isFollowed: boolean;
  /** How often the test had asked for something before it. */
  readonly acts: number;
}

/** An attempt to deliver an event. */
export interface PassedAttempt {
  /** Counts the attempts to deliver events of the type, from 1. */
  readonly occurrence: number;
  readonly at: number;
  /** The status of the merchant's answer; absent when none came. */
  readonly status?: number;
  /** Why no answer came. */
  readonly failure?: string;
  /** The kinds of fault that struck it. */
  readonly struckBy: readonly string[];
  /** Whether a call failed that the merchant made meanwhile, in its handler. */
  readonly hadFailingCall: boolean;
  /** Whether something may have held the merchant up meanwhile: a call that was slow or repeated, virtual time, or a short limit. */
  readonly isHeldUp: boolean;
}

/** An event that a test passed. */
export interface PassedEvent {
  readonly id: string;
  readonly type: string;
  /** Counts the events of the type from 1; absent for one that a fault made up. */
  readonly occurrence?: number;
  readonly at: number;
  readonly attempts: readonly PassedAttempt[];
  /** Its status when the test had ended, such as `delivered`. */
  readonly status: string;
}

/** A payment at the end of a test. */
export interface PassedPayment {
  readonly id: string;
  readonly purpose: string;
  readonly status: string;
  readonly amount: number;
  readonly externalId?: string | undefined;
  readonly subscriptionId?: string | undefined;
}

/** A charge of the processor. */
export interface PassedCharge {
  /** The id of the payment that is charged. */
  readonly payment: string;
  /** The route of the call that charges, or `renewal`, for which the customer is absent. */
  readonly by: string;
  /** Counts the charges by the same route from 1. */
  readonly occurrence: number;
  /** Counts the charges with the customer present, or those without, from 1, as the faults of the processor do. */
  readonly nth: number;
  readonly at: number;
  /** The kind of fault that struck it. */
  readonly struckBy?: string;
}

/** A place in a source file. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** What became of a test. */
export interface TestOutcome {
  /** `left out`: nothing can be said of it. `crashed`: it ended its process, by an error that nothing caught or by its own exit. */
  readonly is: "passed" | "failed" | "left out" | "crashed";
  /** Completes the sentence "It is left out, because …". */
  readonly why?: string;
  /** The first line of the error, or how the process ended. */
  readonly message?: string;
  /** What the error goes on with, in one line, where its first line only announces it. */
  readonly details?: string;
  /** Where the error was thrown, the innermost place first. */
  readonly stack?: readonly SourcePlace[];
  /**
   * Whether its assertion found nothing where it looked, or an error in place of an answer, or it failed before it came to an assertion, as a
   * test does whose own request was not answered as usual.
   */
  readonly missesItsSubject?: true;
  /** Whether it failed because its limit of real time was over. */
  readonly isTooLate?: true;
}

/** Whether a test failed, by its own words or because it ended its process. */
export function hasFailed(record: Pick<TestRecord, "outcome"> | undefined): boolean {
  return record?.outcome.is === "failed" || record?.outcome.is === "crashed";
}

/** What happened after a test had ended, while the session let the service repeat its deliveries. */
export interface Aftermath {
  readonly events: readonly PassedEvent[];
  /** Whether the merchant accepted an event once more that it had accepted before. */
  readonly isAlive: boolean;
}

/** The assumptions that a test rested on. */
export interface AssumptionsOfTest {
  /** The ids of all of them. */
  readonly used: readonly string[];
  /** The ids of those whose values the test, or the file that it names, sets itself. */
  readonly decided: readonly string[];
  /** The values that it sets of those that change troubles; absent where it sets none. */
  readonly values?: ValuesOfTroubles;
  /** The codes of all errors that the service answered; absent where nobody can tell. */
  readonly errors?: readonly string[];
}

/** What one test passed in one run. */
export interface TestRecord {
  readonly test: ShakenTest;
  readonly outcome: TestOutcome;
  /** When the test's clock began, and where it stood at the end. */
  readonly from: number;
  readonly to: number;
  readonly calls: readonly PassedCall[];
  readonly events: readonly PassedEvent[];
  readonly payments: readonly PassedPayment[];
  readonly charges: readonly PassedCharge[];
  /** How often the test asked for something: visits, the customer's acts, and calls of its own client. */
  readonly acts: number;
  /** When the faults struck that the test planned itself. */
  readonly ownStrikes: readonly number[];
  /** How many visits the merchant did not answer as its visitor wished: with an error, or not at all. */
  readonly refusedVisits: number;
  /** Whether work at one moment led to more and more work, without an end. */
  readonly isRestless?: true;
  /** Where the test read what only Centavo knows: attempts, calls, the timeline, pending work. */
  readonly booksRead: readonly SourcePlace[];
  /** The first line of the first error that nothing caught meanwhile. Its runner may know nothing of it, or not whose it is. */
  readonly uncaught?: string;
  /** Why points after some moment were not recorded, such as a reset of the world. It completes the sentence "It was shaken only in part, because …". */
  readonly cutShort?: string;
  /** Absent in the run in which nothing goes wrong. */
  readonly trouble?: {
    /** When it first struck; absent when it did not. */
    readonly struckAt?: number;
    /** How long the test itself moved the clock after that, in milliseconds; absent when it did not move it at all. */
    readonly movedAfter?: number;
  };
  /** Absent where the test has no world, and in a run in which something goes wrong. */
  readonly assumptions?: AssumptionsOfTest;
  readonly aftermath?: Aftermath;
  /** How many entries the journal had when the test ended. What follows is its aftermath. */
  readonly entries: number;
  /** The file of the recording, or why there is none. Absent where the shake wants none. */
  readonly recording?: { readonly path: string } | { readonly missing: string };
}
