import { running } from "../adapters/network/running.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { Recorder } from "./recorder.ts";
import { watchCalls } from "./watch-calls.ts";
import { watchDeliveries } from "./watch-deliveries.ts";

export interface RecordOptions {
  /** The HAR file to write, such as `"recordings/shop.har"`; its folder is made if there is none. */
  readonly file: string;
  /** The URL of the token service, if it is another host. */
  readonly authUrl?: string;
  /**
   * The paths at which a server of this process takes webhook deliveries, such as `"/webhooks/pay"`. What arrives there is recorded as a
   * delivery.
   */
  readonly deliveries?: string | readonly string[];
  /** Further names of headers and fields whose values are secret, such as `"x-shop-pin"`. */
  readonly redact?: readonly string[];
}

/** A running recording. `await using recording = record(…)` stops it at the end of the block. */
export interface TrafficRecording extends AsyncDisposable {
  /** How many calls and deliveries have begun. */
  readonly count: number;
  /**
   * Stops recording and writes the file for the last time. A call without an answer by then is recorded without one. Does nothing when
   * called again.
   */
  stop(): Promise<void>;
}

/**
 * Records the real calls of this process to the sandbox of a payment service, and its deliveries, as HAR 1.2. The calls go out as they
 * would without it, whichever client makes them: `fetch`, undici, axios, got, `node:http` and `node:https`. Secrets, tokens and card numbers are
 * replaced by stand-ins before anything is written. The file is written anew as a whole, once a second while it grows and when the process ends.
 *
 * Calls over HTTP/2 are not recorded. The file has a body of text up to 1 MiB; a longer one is left out, and the entry says so.
 *
 * @param sandboxUrl the URL of the sandbox, such as `"https://sandbox.pay.example"`. All calls to its origin are recorded
 * @throws {CentavoError} `INVALID_URL` for what is no http(s) URL; `INVALID_OPTION` for an unknown option, a path of `deliveries` that does not begin with a slash or has a query, names to `redact` that are no list of texts, and a
 *   file that cannot be written; `INTERCEPTION_CONFLICT` when a simulator answers at that URL in this process
 *
 * @example
 * const recording = record("https://sandbox.pay.example", { file: "recordings/shop.har" });
 * await fetch("https://sandbox.pay.example/api/transactions"); // really goes out
 * await recording.stop();
 */
export function record(sandboxUrl: string, options: RecordOptions): TrafficRecording {
  refuseUnknownOptions("record", options, ["file", "authUrl", "deliveries", "redact"]);
  const { file, authUrl = sandboxUrl, deliveries = [], redact = [] } = options;
  if (typeof file !== "string" || file === "")
    throw new CentavoError(
      "INVALID_OPTION",
      `record: the option file is ${inWords(file)}. It takes the path of the HAR file to write, such as "recordings/shop.har".`,
    );
  const origins = new Set([originOf(sandboxUrl, "the first argument"), originOf(authUrl, "the option authUrl")]);
  const paths = new Set([deliveries].flat().map(checkedPath));
  checkNames(redact);
  const recorder = new Recorder("record", file, redact);
  const stops = [watchCalls(origins, recorder)];
  if (paths.size > 0) stops.push(watchDeliveries(paths, recorder));
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0)) end();
    await Promise.resolve();
    recorder.close();
  };
  return {
    get count() {
      return recorder.count;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function originOf(url: string, what: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new CentavoError(
      "INVALID_URL",
      `record: ${what} is ${inWords(typeof url === "string" ? shownAddress(url) : url)}. It takes the http(s) URL of the real service, such as "https://sandbox.pay.example".`,
    );
  if (running.find(parsed).kind === "service")
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      `record: a simulator answers at ${parsed.origin} in this process, so no call there is real. Record without intercept().`,
    );
  return parsed.origin;
}

function checkNames(names: readonly string[]): void {
  if (Array.isArray(names) && names.every((name) => typeof name === "string" && /[\p{L}\p{N}]/u.test(name))) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `record: the option redact is ${inWords(names)}. It takes a list of names of headers and fields, such as ["x-shop-pin"].`,
  );
}

function checkedPath(path: string): string {
  if (typeof path === "string" && /^\/[^?#]*$/.test(path)) return path;
  throw new CentavoError(
    "INVALID_OPTION",
    `record: the option deliveries has ${inWords(path)}. It takes the path at which your server takes deliveries, without a query, such as "/webhooks/pay".`,
  );
}
