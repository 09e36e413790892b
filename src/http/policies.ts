import type { Problem } from "./problem.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { AnyRoute, ServiceWords } from "./route.ts";

/** So many requests in a fixed window of virtual time. */
export interface Limit {
  readonly requests: number;
  /** A length of time such as `1 minute`. */
  readonly per: string;
}

/** How one service speaks HTTP in one world. What is optional has the default that its comment names. */
export interface HttpPolicies<Words extends ServiceWords = ServiceWords> {
  /** Headers that the service reads beside `Authorization`, `Content-Type` and `Idempotency-Key`; none. */
  readonly headers?: readonly string[];
  /** Headers that ask for a version, which the service ignores; none. */
  readonly versionHeaders?: readonly string[];
  /** Tells who calls. @throws {HttpError} when the credential does not open the route */
  authenticate(credential: Words["credential"], headers: RequestHeaders): Words["caller"];
  /** The caller's name in the journal; the merchant's id. */
  nameOf?(caller: Words["caller"]): string | undefined;
  /** The body of a success. */
  readonly success: (data: unknown) => object;
  /** The body of an error. */
  failure(this: void, error: Words["error"]): object;
  /** The service's own error for a problem that the kit met. */
  readonly errorOf: (problem: Problem) => Words["error"];
  /** The status of a success that makes something new; 201. */
  readonly createdStatus?: () => number;
  /** How long an answer is kept under its `Idempotency-Key`, such as `24 hours`, which is the default; `"off"` ignores keys. */
  readonly idempotencyLifetime?: () => string;
  /** What becomes of fields that the schema does not name; they are ignored and noted. */
  readonly unknownFields?: () => "ignore" | "refuse";
  /** How many requests a merchant may send; any number. */
  readonly rateLimit?: () => Limit | "none";
  /** Told of each call that has a route. */
  onCall?(route: AnyRoute<Words>): void;
  /** Told of each error that is answered. */
  readonly onFailure?: () => void;
  /** Told of each call that asks for a version. */
  readonly onVersion?: () => void;
}
