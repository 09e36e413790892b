import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";
import { deliveryHeaders } from "../../kit/webhooks/delivery.ts";
import type { WebhookEvent } from "../../kit/webhooks/event.ts";
import { SIGNATURE_HEADERS } from "../../kit/webhooks/signatures/signature.ts";
import type { WebhookScheme } from "../../kit/webhooks/signatures/signature.ts";
import type { DeliveryToSign } from "./delivery-signature.ts";
import type { PaymentEvent } from "./order-payment.ts";

/** Sends the merchant's app deliveries that the service itself would never send, or has not sent yet. */
export class DeliveryByHand {
  readonly #parts: Simulator["internals"]["parts"];
  readonly #connections: Simulator["internals"]["connections"];

  constructor({ internals }: Simulator) {
    this.#parts = internals.parts;
    this.#connections = internals.connections;
  }

  /** The scheme and header that this service signs with (`webhook.signature`). */
  get signing(): { readonly scheme: WebhookScheme; readonly headerName: string } {
    const { scheme, headerName = SIGNATURE_HEADERS[scheme] } = this.#parts.outbox.signing;
    return { scheme, headerName };
  }

  /** The stamp of a signature made now, in milliseconds since 1970 (`webhook.stamp`). */
  get stamp(): number {
    return this.#parts.outbox.stamp;
  }

  /** Returns the events announced so far. */
  events(): WebhookEvent[] {
    return this.#parts.outbox.events();
  }

  /** Returns an event as the service would deliver it; undefined when it has no receiver. */
  eventOf(event: WebhookEvent): PaymentEvent | undefined {
    const { id, type, url, merchantId, body: text } = event;
    const secret = this.#parts.merchants.get(merchantId)?.webhookSecret ?? "";
    return url === undefined ? undefined : { id, type, url, secret, text };
  }

  /**
   * Returns the event with an id, as the service would deliver it.
   * @param caller the function that was given the id
   * @throws {CentavoError} `NOT_FOUND` for an unknown event, `INVALID_OPTION` for an event without a receiver
   */
  eventWith(caller: string, eventId: string): PaymentEvent {
    const event = this.events().find(({ id }) => id === eventId);
    if (event === undefined)
      throw new CentavoError(
        "NOT_FOUND",
        `${caller}: there is no event ${inWords(eventId)}, or a bounded world has forgotten it; sim.webhooks.events() lists them.`,
      );
    const found = this.eventOf(event);
    if (found !== undefined) return found;
    throw new CentavoError(
      "INVALID_OPTION",
      `${caller}: the event ${eventId} has no receiver. Give the payment a webhookUrl, or the simulator: createSimulator({ webhookUrl }).`,
    );
  }

  toSign({ id, secret, text }: PaymentEvent): DeliveryToSign {
    return { ...this.signing, eventId: id, secret, body: text, stamp: Math.floor(this.stamp / 1000) };
  }

  requestOf({ url, text }: PaymentEvent, signature: Readonly<Record<string, string>>): Request {
    return new Request(url, {
      method: "POST",
      headers: { ...signature, ...deliveryHeaders(this.#parts.assumptions.value("webhook.user-agent")) },
      body: text,
    });
  }

  /** Reads the body of an event, as the service document has it. */
  read(text: string): object {
    return this.#parts.outbox.contentOf({ body: text });
  }

  /** Writes the body of an event as this service does (`webhook.body`, `webhook.intent` and others). */
  write(body: object): string {
    const { id, type, createdAt, ...content } = body as { id: string; type: string; createdAt: string };
    return this.#parts.outbox.write({ id, type, createdAt: OriginalDate.parse(createdAt) }, content);
  }

  /** Returns an unused id, such as `evt_` and 20 characters before `Fake`. It draws from a separate random stream, so other ids stay the same. */
  newId(prefix: string): string {
    const { engine } = this.#parts;
    return engine.unit(() => engine.random.id(prefix, "hostile/id"));
  }

  /** Returns a session token that no payment has. */
  newToken(): string {
    const { engine } = this.#parts;
    return engine.unit(() => engine.random.uuid("hostile/token"));
  }

  /** Returns a webhook secret that no merchant has. */
  newSecret(): string {
    const { engine } = this.#parts;
    return engine.unit(() => engine.random.webhookSecret("hostile/secret"));
  }

  /** Holds matching events back. Returns a function that makes them due. */
  hold(matches: (event: WebhookEvent) => boolean): () => void {
    return this.#parts.outbox.holdBack(matches);
  }

  /**
   * Sends a request to the connected app and adds it to the journal. Never rejects.
   * @param name the name of the delivery in the journal
   */
  async send(name: string, request: Request): Promise<ReceiverAnswer> {
    const { engine } = this.#parts;
    const { method, url } = request;
    const answer = await this.#connections.send(request);
    const result = answer.kind === "answered" ? { status: answer.status } : { failure: answer.reason };
    const address = engine.journal.redaction.text(url.replace(/\?.*/s, ""));
    engine.noteInput(
      "hostile",
      { name, method, url: address, ...result },
      { answer: engine.journal.redaction.value(answer) },
    );
    return answer;
  }
}
