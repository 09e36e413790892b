import { setTimeout } from "node:timers/promises";
import { create, isAxiosError } from "axios";
import type { AxiosInstance, CreateAxiosDefaults } from "axios";

/** How the shop reaches the payment service. */
export interface PaymentServiceConfig {
  readonly payBaseUrl: string;
  readonly payAuthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Further settings of axios, such as a proxy or an adapter. */
  readonly axios?: CreateAxiosDefaults;
  /** Resolves after so many milliseconds; the timer of Node by default. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Returns a signal that aborts after so many milliseconds; `AbortSignal.timeout` by default. */
  readonly timeout?: (milliseconds: number) => AbortSignal;
}

interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly data?: object;
  readonly params?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Confirmation {
  readonly status: string;
  readonly requiresAction: boolean;
  readonly redirectUrl?: string;
  readonly nextAction?: { readonly type: string; readonly redirectUrl?: string };
}

/** The parts of a subscription that the shop needs. */
export interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly plan: { readonly name: string; readonly amount: number };
  readonly latestInvoice: { readonly status: string; readonly periodEnd: string };
  readonly updatedAt: string;
  /** The invoice that a new card is charged for; absent if nothing is owed. */
  readonly invoice?: { readonly paymentIntent: { readonly redirectUrl?: string } };
}

/** The payment service answered with an error. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused";
  readonly status: number;
  readonly code: string | undefined;
  readonly redirectUrl: string | undefined;
  /** How many seconds the service asks the shop to wait. */
  readonly retryAfter: number | undefined;

  constructor(status: number, answer: { message?: string; code?: string; redirectUrl?: string }, retryAfter?: number) {
    super(answer.message ?? `The payment service answered ${status}`);
    this.status = status;
    this.code = answer.code;
    this.redirectUrl = answer.redirectUrl;
    this.retryAfter = retryAfter;
  }
}

const MOST_TRIES = 3;
/** How long an answer may take, in milliseconds. */
const LONGEST_CALL = 30_000;
/** The statuses of a gateway that does not know whether the service processed the call. */
const BROKEN_GATEWAY = new Set([502, 503, 504]);
/** The service is busy: with too many calls, or with an earlier one of the same key. */
const BUSY = new Set(["RATE_LIMITED", "IDEMPOTENCY_KEY_IN_USE"]);

function isBusy(error: unknown): error is PaymentRefused {
  return error instanceof PaymentRefused && BUSY.has(error.code ?? "");
}

function statusOf(error: unknown): number {
  return error instanceof PaymentRefused ? error.status : 0;
}

/** The calls of the payment service that the shop needs. */
export class PaymentService {
  readonly #config: PaymentServiceConfig;
  readonly #http: AxiosInstance;
  readonly #sleep: (milliseconds: number) => Promise<void>;
  readonly #timeout: (milliseconds: number) => AbortSignal;
  #token: Promise<string> | undefined;

  constructor(config: PaymentServiceConfig) {
    this.#config = config;
    this.#http = create(config.axios);
    this.#sleep = config.sleep ?? setTimeout;
    this.#timeout = config.timeout ?? ((milliseconds) => AbortSignal.timeout(milliseconds));
  }

  /** @param idempotencyKey keeps a repeated call from creating a second payment */
  createIntent(intent: object, idempotencyKey: string): Promise<{ readonly id: string }> {
    return this.#call({
      method: "POST",
      url: "/api/payment-intent",
      data: intent,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  }

  confirmIntent(intentId: string, paymentMethodId: string): Promise<Confirmation> {
    return this.#call({
      method: "POST",
      url: `/api/payment-intent/${intentId}/confirm`,
      data: { paymentMethodId },
      headers: { "Idempotency-Key": `confirm-${intentId}-${paymentMethodId}` },
    });
  }

  intentStatus(intentId: string): Promise<{ readonly status: string; readonly amount: number }> {
    return this.#call({ method: "GET", url: `/api/payment-intent/${intentId}/status` });
  }

  createCheckout(
    session: object,
    idempotencyKey: string,
  ): Promise<{ readonly sessionToken: string; readonly checkoutUrl: string }> {
    return this.#call({
      method: "POST",
      url: "/api/checkout",
      data: session,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  }

  checkoutStatus(sessionToken: string): Promise<{ readonly status: string }> {
    return this.#call({ method: "GET", url: `/api/checkout/polling/${sessionToken}` });
  }

  createPlan(plan: object, idempotencyKey: string): Promise<{ readonly id: string }> {
    return this.#call({
      method: "POST",
      url: "/api/subscription/plans",
      data: plan,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  }

  startSubscription(subscription: object, idempotencyKey: string): Promise<{ readonly id: string }> {
    return this.#call({
      method: "POST",
      url: "/api/subscription/initiate",
      data: subscription,
      headers: { "Idempotency-Key": idempotencyKey },
    });
  }

  subscription(subscriptionId: string): Promise<Subscription> {
    return this.#call({ method: "GET", url: `/api/subscription/${subscriptionId}` });
  }

  paySubscription(subscriptionId: string, paymentMethodId: string): Promise<Confirmation> {
    return this.#call({
      method: "POST",
      url: "/api/subscription/process-payment",
      data: { subscriptionId, paymentMethodId },
    });
  }

  changePaymentMethod(subscriptionId: string, paymentMethodId: string): Promise<Subscription> {
    const url = `/api/subscription/${subscriptionId}/payment-method`;
    return this.#call({ method: "PATCH", url, data: { paymentMethodId } });
  }

  changePlan(subscriptionId: string, planId: string): Promise<Subscription> {
    return this.#call({ method: "PATCH", url: `/api/subscription/${subscriptionId}/plan`, data: { planId } });
  }

  cancelSubscription(subscriptionId: string, reason: string | undefined): Promise<Subscription> {
    return this.#call({ method: "DELETE", url: `/api/subscription/${subscriptionId}`, params: { reason } });
  }

  /** Keeps the token until the service refuses it, and then repeats the call once with a new one. */
  async #call<Data>(request: Call): Promise<Data> {
    const token = (this.#token ??= this.#authenticate());
    try {
      return await this.#send<Data>(request, await token);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
      // Calls that fail at the same time share one new token.
      if (this.#token === token) this.#token = undefined;
      return this.#send<Data>(request, await (this.#token ??= this.#authenticate()));
    }
  }

  async #send<Data>(request: Call, token: string): Promise<Data> {
    const answer = await this.#answerTo<{ data: Data }>({
      ...request,
      baseURL: this.#config.payBaseUrl,
      headers: { ...request.headers, Authorization: `Bearer ${token}` },
    });
    return answer.data;
  }

  /** Whether the service did nothing yet, or the call or its answer may have been lost and repeating it is safe. */
  #mayRepeat({ method, headers }: Call, error: unknown): boolean {
    if (isBusy(error)) return true;
    const isLost = isAxiosError(error) ? error.response === undefined : BROKEN_GATEWAY.has(statusOf(error));
    return isLost && (method === "GET" || headers?.["Idempotency-Key"] !== undefined);
  }

  async #authenticate(): Promise<string> {
    const { payAuthUrl, clientId, clientSecret } = this.#config;
    const data = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    try {
      const answer = await this.#answerTo<{ access_token: string }>({
        method: "POST",
        url: `${payAuthUrl}/oauth`,
        data,
      });
      return answer.access_token;
    } catch (error) {
      // Otherwise every later call would get this same error.
      this.#token = undefined;
      throw error;
    }
  }

  async #answerTo<Answer>(request: Call & { readonly baseURL?: string }, tries = MOST_TRIES): Promise<Answer> {
    try {
      return await this.#askOnce<Answer>(request);
    } catch (error) {
      if (tries === 1 || !this.#mayRepeat(request, error)) throw error;
      if (isBusy(error)) await this.#sleep(1000 * (error.retryAfter ?? 1));
      return this.#answerTo<Answer>(request, tries - 1);
    }
  }

  async #askOnce<Answer>(request: Call & { readonly baseURL?: string }): Promise<Answer> {
    try {
      const { data } = await this.#http.request<Answer>({ ...request, signal: this.#timeout(LONGEST_CALL) });
      // Axios returns a body that is not JSON as text. Nobody knows then whether the service processed the call.
      if (typeof data === "string")
        throw new PaymentRefused(502, { message: "The payment service answered with text that is not JSON" });
      return data;
    } catch (error) {
      if (!isAxiosError<{ message?: string }>(error) || error.response === undefined) throw error;
      const { status, data, headers } = error.response;
      const retryAfter = Number(headers["retry-after"]);
      throw new PaymentRefused(status, data, Number.isNaN(retryAfter) ? undefined : retryAfter);
    }
  }
}
