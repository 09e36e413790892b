import type { SocketOptions } from "../adapters/listen.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { WorldLimits } from "./world-limits.ts";

/** How a simulator is served. */
export interface ServeOptions extends SocketOptions {
  /** The base URL by which clients reach the server, such as that of a proxy; the server's own address by default. */
  readonly baseUrl?: string;
  /** Opens the control API; random by default. */
  readonly token?: string;
  /**
   * The file of the control token, which several servers may share: it is read if it exists, and else made, readable by its owner alone.
   * With `token` too, a file that exists has to hold the same one.
   */
  readonly tokenFile?: string;
  /**
   * The hosts besides those of this machine under which clients reach the server, each with or without a port, such as `["centavo"]` between
   * containers. A request under any other is refused, so that no page gets in by a name that leads to this machine.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * The origins whose pages may call the service, such as `["http://localhost:3000"]` for a shop's page that confirms a payment; none by
   * default. They take the place of the assumption `http.cors`. No page of another origin ever reaches the control API.
   */
  readonly allowedOrigins?: readonly string[];
  /** The hosts besides this machine that webhooks may go to, each with or without a port; none by default. */
  readonly allowedWebhookHosts?: readonly string[];
  /** What bounds the named worlds of the server. */
  readonly worlds?: WorldLimits;
  /**
   * A file in which the worlds of the server outlive it, such as `shop.db`; it is created if there is none. Each answer is in the file before
   * it leaves. A server that starts with the file goes on where the last one was, however that ended, and only one server uses it at a time.
   * After a power loss the last answers may be missing.
   */
  readonly state?: string;
}

/** The longest delay of a timer. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;
const NAMES = [
  "port",
  "hostname",
  "requestTimeout",
  "baseUrl",
  "token",
  "tokenFile",
  "allowedHosts",
  "allowedOrigins",
  "allowedWebhookHosts",
  "worlds",
  "state",
];

/** @throws {CentavoError} `INVALID_OPTION` */
export function checkServeOptions(options: ServeOptions): void {
  refuseUnknownOptions("serve", options, NAMES);
  const { requestTimeout = 1 } = options;
  if (Number.isInteger(requestTimeout) && requestTimeout >= 1 && requestTimeout <= LONGEST_TIMEOUT) return;
  throw new CentavoError(
    "INVALID_OPTION",
    `serve: the option requestTimeout is ${inWords(requestTimeout)}. It takes a whole number of milliseconds of real time, at least 1.`,
  );
}
