import type { Problem } from "./problem.ts";
import type { RawAnswer } from "./route.ts";

/** What every adapter needs of a simulator: the addresses that merchants use, and the one function that answers them. */
export interface Service {
  /** The API's base URL as the merchant's code has it, without a trailing slash; it may carry a path. */
  readonly baseUrl: string;
  /** The token service's base URL, without a trailing slash; often the same as `baseUrl`. */
  readonly authUrl: string;
  /** Answers one request. Never rejects for a request that a real server could receive. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Returns `fetch` for one call that begins now, although its request is sent later. Without this method a call begins when it is sent. */
  beginCall?(): Service["fetch"];
  /** Returns the service's error for a request that cannot become a `Request`. Without this method the server answers a bare status. */
  refuse?(problem: Problem): RawAnswer;
}
