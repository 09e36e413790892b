import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { checkPaths } from "../service/wire/paths.ts";
import { Reading } from "../service/wire/reading.ts";
import { AccessTokens } from "./access-tokens.ts";
import type { Client } from "./calls.ts";
import { operations } from "./operations.ts";
import { serviceCall } from "./service-call.ts";
import type { CallContent, CallOptions, Operation } from "./service-call.ts";

/** The options of `createClient`. */
export interface ClientOptions {
  /** The API's base URL. */
  readonly baseUrl: string;
  /** The token service's base URL; `baseUrl` by default. */
  readonly authUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The administrator's key, which only `checkout.session` needs (part 5.4). */
  readonly adminKey?: string;
  /**
   * The values that the service's assumptions have, as `createSimulator` takes them in an object. The client calls the
   * paths that they name, and reads the answers that they shape into its types and `ServiceError`.
   */
  readonly assumptions?: AssumptionOverrides;
  /** Sends requests. The default calls the global `fetch` at that moment, so an interception that starts later works too. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The secrets that only other parts of a test use may come along, so that `sim.credentials` can be spread. */
const OPTION_NAMES = [
  "baseUrl",
  "authUrl",
  "clientId",
  "clientSecret",
  "adminKey",
  "assumptions",
  "fetch",
  "merchantId",
  "webhookSecret",
];

/**
 * Creates a typed client of the payment service for scripts and tests. The first call requests an access token. When the service refuses
 * the token, the client refreshes it, or authenticates again if that fails, and repeats the call once. It reads no clock.
 *
 * @throws {CentavoError} `INVALID_URL` for a base URL that is not an http(s) URL, `INVALID_OPTION` for an unknown option,
 *   `INVALID_ASSUMPTION` for a template that cannot be read, and for a path that cannot be called
 *
 * @example
 * const sim = createSimulator();
 * const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
 * const intent = await client.paymentIntents.create({ amount: 10_000 }, { idempotencyKey: "order-1" });
 * const { requiresAction } = await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
 */
export function createClient(options: ClientOptions): Client {
  refuseUnknownOptions("createClient", options, OPTION_NAMES);
  const baseUrl = checkedUrl("baseUrl", options.baseUrl);
  const authUrl = checkedUrl("authUrl", options.authUrl ?? options.baseUrl);
  const send = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
  const { clientId, clientSecret, assumptions = {} } = options;
  const reading = new Reading(assumptions, "createClient");
  checkPaths(assumptions, "createClient");
  const tokens = new AccessTokens({ authUrl, clientId, clientSecret, assumptions, reading, send });

  const call = serviceCall({ baseUrl, adminKey: options.adminKey, assumptions, tokens, reading, send });
  const groups = Object.entries(operations).map(([group, calls]) => [
    group,
    Object.fromEntries(
      Object.entries(calls).map(([name, operation]) => [
        name,
        async (...given: readonly unknown[]) => call(operation, contentOf(operation, given)),
      ]),
    ),
  ]);
  return Object.fromEntries(groups) as Client;
}

/** Returns the content of a call. What an operation takes comes first, and the options of the call last. */
function contentOf({ takes }: Operation, given: readonly unknown[]): CallContent {
  const options = given[takes.length] as CallOptions | undefined;
  return { ...options, ...Object.fromEntries(takes.map((part, place) => [part, given[place]])) };
}

function checkedUrl(option: string, url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/(?<!\/)\/+$/, "");
  throw new CentavoError(
    "INVALID_URL",
    `createClient: ${option} is ${JSON.stringify(url)}. It takes an http(s) URL such as "https://api.pay.example".`,
  );
}
