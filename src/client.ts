import type {
  CheckoutSession,
  CreateCheckoutBody,
  CreatedCheckout,
  PolledCheckout,
  ProcessedCheckout,
} from "./checkout/schema.ts";
import { AccessTokens } from "./client/access-tokens.ts";
import { operations } from "./client/operations.ts";
import type { Operation } from "./client/operations.ts";
import { readAnswer, ServiceError } from "./client/service-error.ts";
import { CentavoError } from "./errors.ts";
import type {
  Confirmation,
  ConfirmIntentBody,
  CreatedIntent,
  CreateIntentBody,
  IntentStatusResult,
} from "./payment-intents/schema.ts";

export { ServiceError } from "./client/service-error.ts";
export type { ServiceErrorCode } from "./client/service-error.ts";
export type {
  CheckoutSession,
  Confirmation,
  ConfirmIntentBody,
  CreateCheckoutBody,
  CreatedCheckout,
  CreatedIntent,
  CreateIntentBody,
  IntentStatusResult,
  PolledCheckout,
  ProcessedCheckout,
};

/** Where the service is, and who calls it. */
export interface ClientOptions {
  /** The API's base URL. */
  readonly baseUrl: string;
  /** The token service's base URL; `baseUrl` by default. */
  readonly authUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Opens `checkout.session` (part 5.4). */
  readonly adminKey?: string;
  /** How requests are sent; the global `fetch` of the moment by default, so that an interception is seen whenever it starts. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What one call may say beside its body. */
export interface CallOptions {
  /** Sent as `Idempotency-Key`: the same key repeats the first answer instead of doing things twice (`http.idempotency-key`). */
  readonly idempotencyKey?: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

/** A merchant's view of the service: each call answers the envelope's `data`, or throws a `ServiceError`. */
export interface Client {
  readonly paymentIntents: {
    /** Creates a payment intent (4.1, answer 2.2). */
    create(body: CreateIntentBody, options?: CallOptions): Promise<CreatedIntent>;
    /**
     * Confirms it with `paymentMethodId`, or in the SDK's form with `paymentMethod`, `creditCardDetails` and `contact` (4.1, answer 2.4).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED`, `PAYMENT_METHOD_INVALID`
     */
    confirm(intentId: string, body: ConfirmIntentBody, options?: CallOptions): Promise<Confirmation>;
    /** Reads its status (4.1, answer 2.3). */
    status(intentId: string, options?: CallOptions): Promise<IntentStatusResult>;
  };
  readonly checkout: {
    /** Creates a checkout session (4.2, answer 2.5). */
    create(body: CreateCheckoutBody, options?: CallOptions): Promise<CreatedCheckout>;
    /** Pays a session without the hosted page (4.2, `checkout.bodies`). */
    process(
      sessionToken: string,
      body: { readonly paymentMethodId: string },
      options?: CallOptions,
    ): Promise<ProcessedCheckout>;
    /** Polls the status of a session (4.2, `checkout.bodies`). */
    poll(sessionToken: string, options?: CallOptions): Promise<PolledCheckout>;
    /** Reads a session as the administrator; needs the option `adminKey` (4.2, `checkout.bodies`). */
    session(sessionToken: string, options?: CallOptions): Promise<CheckoutSession>;
  };
}

/**
 * A typed client of the payment service for scripts and tests. It gets an access token with its first call; told that the token has
 * expired, it refreshes it, or authenticates again where that fails, and repeats the call once. It reads no clock.
 *
 * @throws {CentavoError} `INVALID_URL` for a base URL that is none
 *
 * @example
 * const sim = createSimulator();
 * const client = createClient({ baseUrl: sim.baseUrl, fetch: sim.fetch, ...sim.credentials });
 * const intent = await client.paymentIntents.create({ amount: 10_000 }, { idempotencyKey: "order-1" });
 * const { requiresAction } = await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = checkedUrl("baseUrl", options.baseUrl);
  const authUrl = checkedUrl("authUrl", options.authUrl ?? options.baseUrl);
  const send = options.fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));
  const tokens = new AccessTokens({ authUrl, clientId: options.clientId, clientSecret: options.clientSecret, send });

  const attempt = async (
    operation: Operation,
    path: string,
    credential: Record<string, string>,
    body: unknown,
    { idempotencyKey, signal }: CallOptions,
  ): Promise<unknown> => {
    const headers: Record<string, string> = { accept: "application/json", ...credential };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const init: RequestInit = { method: operation.method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    return readAnswer(`${operation.method} ${path}`, await send(baseUrl + path, init));
  };

  const call = async (
    operation: Operation,
    parameter: string,
    body: unknown,
    callOptions: CallOptions = {},
  ): Promise<unknown> => {
    const path = operation.path.replace(/\{\w+\}/, encodeURIComponent(parameter));
    if (operation.credential === "admin-key") {
      const { adminKey } = options;
      if (adminKey !== undefined) return attempt(operation, path, { "x-admin-key": adminKey }, body, callOptions);
      throw new CentavoError(
        "INVALID_OPTION",
        `${operation.method} ${operation.path} is the administrator's: give createClient the option adminKey, which is sim.credentials.adminKey in a simulator.`,
      );
    }
    const token = await tokens.current();
    try {
      return await attempt(operation, path, { authorization: `Bearer ${token}` }, body, callOptions);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      return attempt(operation, path, { authorization: `Bearer ${await tokens.after(token)}` }, body, callOptions);
    }
  };

  // The casts say what the declared routes promise; a test holds every operation to its route.
  return {
    paymentIntents: {
      create: async (body, callOptions) =>
        (await call(operations.createIntent, "", body, callOptions)) as CreatedIntent,
      confirm: async (intentId, body, callOptions) =>
        (await call(operations.confirmIntent, intentId, body, callOptions)) as Confirmation,
      status: async (intentId, callOptions) =>
        (await call(operations.intentStatus, intentId, undefined, callOptions)) as IntentStatusResult,
    },
    checkout: {
      create: async (body, callOptions) =>
        (await call(operations.createCheckout, "", body, callOptions)) as CreatedCheckout,
      process: async (token, body, callOptions) =>
        (await call(operations.processCheckout, token, body, callOptions)) as ProcessedCheckout,
      poll: async (token, callOptions) =>
        (await call(operations.pollCheckout, token, undefined, callOptions)) as PolledCheckout,
      session: async (token, callOptions) =>
        (await call(operations.checkoutSession, token, undefined, callOptions)) as CheckoutSession,
    },
  };
}

function checkedUrl(option: string, url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/+$/, "");
  throw new CentavoError(
    "INVALID_URL",
    `createClient: ${option} is ${JSON.stringify(url)}; it takes an address such as "https://api.pay.example".`,
  );
}
