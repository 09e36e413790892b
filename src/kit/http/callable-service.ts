import type { VolatileOf } from "../engine/journal-entries.ts";
import type { Problem } from "./problem.ts";
import type { RawAnswer } from "./route.ts";

/** What tells one world from others that answer at the same address. */
export interface WorldIdentity {
  /** The world's name in messages, such as `the simulator with the seed "1"`. */
  readonly name: string;
  /** The headers that carry credentials, besides `Authorization`. */
  readonly headers: readonly string[];
  /** Whether this world issued an id, a token or a key, or was given it at its beginning. */
  knows(text: string): boolean;
  /** Returns the newest ids, tokens and keys that this world knows: up to `most` of each kind. */
  issued(most: number): string[];
  /** Adds a warning to the journal that no digest has. */
  warn(warning: VolatileOf<"warning">): void;
}

/** The test that a world belongs to. */
export interface TestOfWorld {
  /** How messages name the world, such as `the world of the test "pays"`. */
  readonly worldName: string;
  /** Whether code of the test runs now, as far as async context tells. It tells which test made a refused request, never which world answers. */
  isRunning(): boolean;
  /** Returns how the test takes these options, such as `withSimulator(test, { allow: ["https://other.example"] })`. */
  withOptions(options: string): string;
}

/** Sends a request, and returns its answer: as plain data, or as a `Response` if the service makes nothing else. */
export type Send = (request: Request) => Promise<RawAnswer | Response>;

/** What every adapter needs of a simulator: the addresses that merchants use, and the one function that answers them. */
export interface Service {
  /** The API's base URL as the merchant's code has it, without a trailing slash; it may carry a path. */
  readonly baseUrl: string;
  /** The token service's base URL, without a trailing slash; often the same as `baseUrl`. */
  readonly authUrl: string;
  /** Answers one request. Never rejects for a request that a real server could receive. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Begins a call now, and returns the function that sends its request later. Without this method a call begins when it is sent. */
  beginCall?(): Send;
  /** Returns the service's error for a request that cannot become a `Request`. Without this method the server answers a bare status. */
  refuse?(problem: Problem): RawAnswer;
  /** Returns the document at this address, such as the public keys, and leaves no trace of it; undefined if none is there. */
  documentAt?(url: string): RawAnswer | undefined;
  /** Whether a page of another origin may read what is answered at this address. Without this method it may. */
  isForPages?(url: string): boolean;
  /** Whether the address is for pages at all, whatever the policy for other origins. Without this method it is. */
  takesPages?(url: string): boolean;
  /** Returns the base URL with an endpoint at this path, behind any prefix, to tell a wrong base URL from another service. */
  baseUrlFor?(path: string): string | undefined;
  /** What tells its world from others. A service without it answers alone at its address. */
  readonly identity?: WorldIdentity;
  /** The test that its world belongs to, if it belongs to one. */
  readonly test?: TestOfWorld | undefined;
  /** The origins at which apps of merchants are connected. Interception passes requests to them on to `visit`. */
  readonly origins?: readonly string[];
  /** Calls the app at the origin of a request. */
  visit?(request: Request): Promise<Response>;
  /**
   * Called when interception kept a request from leaving the test.
   * @param request with the base URL that it was probably meant for, if its path is one of the service's
   */
  onRefused?(request: {
    readonly method: string;
    readonly url: string;
    readonly reason: string;
    readonly baseUrl?: string;
  }): void;
  /** Called when a request to a host of the option `drop` was answered in place of the host. */
  onDropped?(request: { readonly method: string; readonly url: string }): void;
  /** Called when interception starts to answer for this service. */
  onIntercepted?(): void;
  /**
   * Registers a callback for the end of the simulator, such as to end its interception. Each callback is called once.
   * @returns a function that removes the callback, for things that end earlier
   */
  onClose?(callback: () => void | Promise<void>): () => void;
}
