import { statusOf as checkoutStatusOf } from "../service/checkout/schema.ts";
import type { Connections } from "../receivers/connections.ts";
import { redact, redactText } from "../redaction/redaction.ts";
import { statusOf as intentStatusOf } from "../service/payment-intents/schema.ts";
import type { PaymentWorld } from "../simulator/payment-service.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import { formatWebhookBody } from "../webhooks/json.ts";
import type { WebhookEvent } from "../webhooks/event.ts";
import { SIGNATURE_HEADERS } from "../webhooks/signatures/signature.ts";
import type { WebhookScheme } from "../webhooks/signatures/signature.ts";

/** The payment behind a merchant's order: an intent or a checkout session. */
export interface OrderPayment {
  readonly kind: "payment_intent" | "checkout";
  /** The intent's id, or the session's token. */
  readonly id: string;
  readonly status: string;
  /** Centavos. */
  readonly amount: number;
  readonly externalId: string | undefined;
  readonly returnUrl: string | undefined;
  /** Where its events go (`webhook.receiver`). */
  readonly receiver: string | undefined;
  /** Opens an intent's confirmation; a session needs none. */
  readonly clientKey: string | undefined;
  /** The intent whose challenge the customer has to meet now, where one is open. */
  readonly challenged: string | undefined;
}

/** Brings to the merchant's app, by hand, what the service would not send, or not now. Only `centavo/testing` does so. */
export class Courier {
  readonly #parts: PaymentWorld;
  readonly #connections: Connections;

  constructor(parts: PaymentWorld, connections: Connections) {
    this.#parts = parts;
    this.#connections = connections;
  }

  /** The scheme and header in which this service signs (`webhook.signature`). */
  get signing(): { readonly scheme: WebhookScheme; readonly headerName: string } {
    const { scheme, headerName = SIGNATURE_HEADERS[scheme] } = this.#parts.outbox.signing;
    return { scheme, headerName };
  }

  /** The time that a signature is stamped with now, in milliseconds since 1970 (`webhook.stamp`). */
  get stamp(): number {
    return this.#parts.outbox.stamp;
  }

  /** What was announced so far. */
  events(): WebhookEvent[] {
    return this.#parts.outbox.events();
  }

  /** The exact text of an event's body. */
  bodyOf(event: WebhookEvent): string {
    return this.#parts.outbox.bodyOf(event);
  }

  secretOf(merchantId: string): string {
    return this.#parts.merchants.get(merchantId)?.webhookSecret ?? "";
  }

  /** A payment by its intent's id or its session's token; undefined where there is none. */
  payment(kind: OrderPayment["kind"], id: string): OrderPayment | undefined {
    return kind === "payment_intent" ? this.#intentPayment(id) : this.#checkoutPayment(id);
  }

  /** Writes a webhook's body as this service does (`webhook.body`). */
  write(body: unknown): string {
    return formatWebhookBody(body, this.#parts.assumptions.value("webhook.body"));
  }

  /** An id that nothing has, such as `evt_` and 24 characters, from a stream of its own. */
  newId(prefix: string): string {
    const { engine } = this.#parts;
    return engine.unit(() => `${prefix}_${engine.random.base62("hostile/id", 24)}`);
  }

  /** A session token that no payment has. */
  newToken(): string {
    const { engine } = this.#parts;
    return engine.unit(() => engine.random.uuid("hostile/token"));
  }

  /** A webhook secret that no merchant has. */
  newSecret(): string {
    const { engine } = this.#parts;
    return engine.unit(() => `whsec_${btoa(String.fromCharCode(...engine.random.bytes("hostile/secret", 32)))}`);
  }

  /** Keeps the deliveries of matching events back, until the returned function is called; they are then due. */
  hold(matches: (event: WebhookEvent) => boolean): () => void {
    return this.#parts.outbox.holdBack(matches);
  }

  /**
   * Sends a request to whoever is connected, and notes it in the journal; never rejects.
   * @param name what the journal calls it
   */
  async send(name: string, request: Request): Promise<ReceiverAnswer> {
    const { engine } = this.#parts;
    const { method, url } = request;
    const answer = await this.#connections.send(request);
    const result = answer.kind === "answered" ? { status: answer.status } : { failure: answer.reason };
    const address = redactText(url.replace(/\?.*/s, ""));
    engine.noteInput("hostile", { name, method, url: address, ...result }, { answer: redact(answer) });
    return answer;
  }

  #intentPayment(id: string): OrderPayment | undefined {
    const { intents, merchants } = this.#parts;
    const intent = intents.get(id);
    if (intent === undefined) return undefined;
    const { amount, externalId, returnUrl, webhookUrl, clientKey, merchantId } = intent.data;
    const status = intentStatusOf[intent.state];
    return {
      kind: "payment_intent",
      id,
      status,
      amount,
      externalId,
      returnUrl,
      receiver: webhookUrl ?? merchants.get(merchantId)?.webhookUrl,
      clientKey,
      challenged: status === "requires_action" ? id : undefined,
    };
  }

  #checkoutPayment(id: string): OrderPayment | undefined {
    const session = this.#parts.checkout.byToken(id);
    if (session === undefined) return undefined;
    const { amount, externalId, returnUrl, webhookUrl, challengeOpen, intentId } = session.data;
    return {
      kind: "checkout",
      id,
      status: checkoutStatusOf[session.state],
      amount,
      externalId,
      returnUrl,
      receiver: webhookUrl,
      clientKey: undefined,
      challenged: session.state === "processing" && challengeOpen === true ? intentId : undefined,
    };
  }
}
