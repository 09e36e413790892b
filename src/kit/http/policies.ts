import type { Problem } from "./problem.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { AnyRoute, RawAnswer, ServiceWords } from "./route.ts";

/** A number of requests for each fixed window of virtual time. */
export interface Limit {
  readonly requests: number;
  /** A length of time such as `1 minute`. */
  readonly per: string;
}

/** Which of several problems with a call is answered. */
interface ProblemOrder {
  /** Whether the credential is asked for before the path and the method. */
  readonly credential: "after-path" | "first";
  /** Whether a body that cannot be read is refused before the credential. */
  readonly body: "after-credential" | "first";
  /** Whether what the path names is looked for before the fields are checked. */
  readonly resource: "after-fields" | "before-fields";
  /** Whether an answer names every offending field, or the first alone. */
  readonly fields: "all" | "first";
}

/** How one service speaks HTTP in one world. */
export interface HttpPolicies<Words extends ServiceWords = ServiceWords> extends DeclaredHttpPolicies<Words> {
  readonly errorOf: (problem: Problem, route?: AnyRoute<Words>) => Words["error"];
  /** Returns the service's own error with a code, which faults answer in place of the service. */
  readonly errorOfCode: (code: string) => Words["error"];
}

/** The policies as a service declares them. */
export interface DeclaredHttpPolicies<Words extends ServiceWords = ServiceWords> {
  /** Headers that the service reads besides `Authorization`, `Content-Type` and `Idempotency-Key`; none by default. */
  readonly headers?: readonly string[];
  /** Headers that ask for a version, which the service ignores; none by default. */
  readonly versionHeaders?: readonly string[];
  /**
   * Returns the caller.
   * @throws {HttpError} when the credential does not open the route
   */
  authenticate(credential: Words["credential"], headers: RequestHeaders): Words["caller"];
  /** Returns the caller's name in the journal; the merchant's id by default. */
  nameOf?(caller: Words["caller"]): string | undefined;
  /** Returns the body of a success; the data itself by default. Without a route, the body of any. */
  readonly success?: (data: unknown, route?: AnyRoute<Words>) => unknown;
  /** Returns the body of an error. */
  failure(this: void, error: Words["error"]): unknown;
  /** Returns the status of an error; its own by default. */
  readonly statusOf?: (error: Words["error"]) => number;
  /** Returns the body of the service's own error with a status, which faults answer in place of the service. */
  failureOfStatus(this: void, status: number): unknown;
  /** Returns true when an answer says that the call had no effect; by default for every 4xx. */
  readonly isRefusal?: (answer: RawAnswer) => boolean;
  /** Returns the service's own error for a problem that the kit found; by default the one that its description gives. */
  readonly errorOf?: (problem: Problem, route?: AnyRoute<Words>) => Words["error"];
  /** Returns the largest body that the service takes, in bytes: 1 MiB by default, and at most. */
  readonly largestBody?: () => number;
  /** Returns the status of a success; by default 201 for what creates something, and 200 for all else. */
  readonly successStatus?: (route: AnyRoute<Words>) => number;
  /** Returns how long an answer is kept under its `Idempotency-Key`; `24 hours` by default. `"off"` ignores keys. */
  readonly idempotencyLifetime?: () => string;
  /** Returns true when an answer is kept under its `Idempotency-Key`; by default when it is 2xx. */
  readonly keepsAnswer?: (answer: RawAnswer) => boolean;
  /** Returns what to do with fields that the schema does not name; by default they are ignored, with a warning in the journal. */
  readonly unknownFields?: () => "ignore" | "refuse";
  /** Returns how many requests a merchant may send; any number by default. */
  readonly rateLimit?: () => Limit | "none";
  /** Returns whether pages of other origins may read answers; they may by default, except where a route says otherwise. */
  readonly crossOrigin?: () => "any" | "none";
  /** Returns which of several problems is answered; by default the path, the credential, the body, all fields, what the path names. */
  readonly order?: () => ProblemOrder | undefined;
  /** The credential that a call to no route has to bear where credentials come first; none by default. */
  readonly usualCredential?: Words["credential"];
  /** Called for each request, also for one without a route. */
  onRequest?(method: string): void;
  /** Called for each call that has a route. */
  onCall?(route: AnyRoute<Words>): void;
  /** Called for each error that is answered. */
  readonly onFailure?: () => void;
  /** Called for each call that asks for a version. */
  readonly onVersion?: () => void;
}
