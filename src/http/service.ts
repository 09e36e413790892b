import type { Problem } from "./problem.ts";
import type { RawAnswer } from "./route.ts";

/** What every way in needs to know of a simulator: where merchants believe it is, and the one function that answers them. */
export interface Service {
  /** The API's base URL as the merchant's code has it, without a trailing slash; it may carry a path. */
  readonly baseUrl: string;
  /** The token service's base URL, without a trailing slash; often the same as `baseUrl`. */
  readonly authUrl: string;
  /** Answers one request. Never rejects for a request that a real server could receive. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Answers what arrives as no `Request`, in the service's own words; the server answers a bare status when it is left out. */
  refuse?(problem: Problem): RawAnswer;
}
