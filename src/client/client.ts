import type {
  CheckoutSession,
  CreateCheckoutBody,
  CreatedCheckout,
  PolledCheckout,
  ProcessedCheckout,
} from "../service/checkout/schema.ts";
import { AccessTokens } from "./access-tokens.ts";
import { operations } from "./operations.ts";
import { serviceCall } from "./service-call.ts";
import type { CallOptions } from "./service-call.ts";
import { planCalls, subscriptionCalls } from "./subscriptions.ts";
import type { PlanCalls, SubscriptionCalls } from "./subscriptions.ts";
import { transactionCalls } from "./transactions.ts";
import type { TransactionCalls } from "./transactions.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type {
  Confirmation,
  ConfirmIntentBody,
  CreatedIntent,
  CreateIntentBody,
  IntentStatusResult,
} from "../service/payment-intents/schema.ts";

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
  "fetch",
  "merchantId",
  "webhookSecret",
];

/** A merchant's view of the service. Each call returns the envelope's `data` or throws a `ServiceError`. */
export interface Client {
  readonly paymentIntents: {
    /** Creates a payment intent (4.1, answer 2.2). */
    create(body: CreateIntentBody, options?: CallOptions): Promise<CreatedIntent>;
    /**
     * Confirms an intent with `paymentMethodId`, or in the SDK's form with `paymentMethod`, `creditCardDetails` and `contact` (4.1,
     * answer 2.4).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED`, `PAYMENT_METHOD_INVALID`
     */
    confirm(intentId: string, body: ConfirmIntentBody, options?: CallOptions): Promise<Confirmation>;
    /** Reads an intent's status (4.1, answer 2.3). */
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
  readonly plans: PlanCalls;
  readonly subscriptions: SubscriptionCalls;
  readonly transactions: TransactionCalls;
}

/**
 * Creates a typed client of the payment service for scripts and tests. The first call requests an access token. When the service refuses
 * the token, the client refreshes it, or authenticates again if that fails, and repeats the call once. It reads no clock.
 *
 * @throws {CentavoError} `INVALID_URL` for a base URL that is not an http(s) URL, `INVALID_OPTION` for an unknown option
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
  const tokens = new AccessTokens({ authUrl, clientId: options.clientId, clientSecret: options.clientSecret, send });

  const call = serviceCall({ baseUrl, adminKey: options.adminKey, tokens, send });

  // The casts follow the declared routes. A test checks every call against its route.
  return {
    paymentIntents: {
      create: async (body, callOptions) =>
        (await call(operations.createIntent, { ...callOptions, body })) as CreatedIntent,
      confirm: async (parameter, body, callOptions) =>
        (await call(operations.confirmIntent, { ...callOptions, parameter, body })) as Confirmation,
      status: async (parameter, callOptions) =>
        (await call(operations.intentStatus, { ...callOptions, parameter })) as IntentStatusResult,
    },
    checkout: {
      create: async (body, callOptions) =>
        (await call(operations.createCheckout, { ...callOptions, body })) as CreatedCheckout,
      process: async (parameter, body, callOptions) =>
        (await call(operations.processCheckout, { ...callOptions, parameter, body })) as ProcessedCheckout,
      poll: async (parameter, callOptions) =>
        (await call(operations.pollCheckout, { ...callOptions, parameter })) as PolledCheckout,
      session: async (parameter, callOptions) =>
        (await call(operations.checkoutSession, { ...callOptions, parameter })) as CheckoutSession,
    },
    plans: planCalls(call),
    subscriptions: subscriptionCalls(call),
    transactions: transactionCalls(call),
  };
}

function checkedUrl(option: string, url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/(?<!\/)\/+$/, "");
  throw new CentavoError(
    "INVALID_URL",
    `createClient: ${option} is ${JSON.stringify(url)}. It takes an http(s) URL such as "https://api.pay.example".`,
  );
}
