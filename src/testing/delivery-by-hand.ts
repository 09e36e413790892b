import { redact, redactText } from "../redaction/redaction.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import { formatWebhookBody } from "../webhooks/json.ts";
import type { WebhookEvent } from "../webhooks/event.ts";
import { SIGNATURE_HEADERS } from "../webhooks/signatures/signature.ts";
import type { WebhookScheme } from "../webhooks/signatures/signature.ts";

/** Delivers to the merchant's app by hand what the service would not send, or not now. */
export class DeliveryByHand {
  readonly #parts: Simulator["internals"]["parts"];
  readonly #connections: Simulator["internals"]["connections"];

  constructor({ internals }: Simulator) {
    this.#parts = internals.parts;
    this.#connections = internals.connections;
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

  /** The events announced so far. */
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

  /** A webhook secret that belongs to no merchant. */
  newSecret(): string {
    const { engine } = this.#parts;
    return engine.unit(() => `whsec_${btoa(String.fromCharCode(...engine.random.bytes("hostile/secret", 32)))}`);
  }

  /** Holds matching events back until the returned function is called, which makes them due. */
  hold(matches: (event: WebhookEvent) => boolean): () => void {
    return this.#parts.outbox.holdBack(matches);
  }

  /**
   * Sends a request to the connected app and notes it in the journal. Never rejects.
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
}
