import { toTimestamp } from "../engine/timestamp.ts";
import { formatWebhookBody } from "./json.ts";
import type { WebhookBodyFormat } from "./json.ts";

/** A body that nobody has needed yet. */
export class UnwrittenBody {
  readonly #format: WebhookBodyFormat;
  #contentOf: (() => object) | undefined;
  #text = "";

  /** @param contentOf answers the same whenever it is asked: it reads immutable rows, and nothing of the world */
  constructor(contentOf: () => object, format: WebhookBodyFormat) {
    this.#contentOf = contentOf;
    this.#format = format;
  }

  /** The text, which is kept from here on in place of what it was made from. */
  write({ id, type, createdAt }: AboutEvent): string {
    if (this.#contentOf !== undefined) {
      const value = { id, type, createdAt: toTimestamp(createdAt), ...this.#contentOf() };
      this.#text = formatWebhookBody(value, this.#format);
      this.#contentOf = undefined;
    }
    return this.#text;
  }
}

/** An event's body: its text, or how to write it, because most events are sent to nobody and read by nobody. */
export type EventBody = string | UnwrittenBody;

interface AboutEvent {
  readonly id: string;
  readonly type: string;
  readonly createdAt: number;
}

/** The exact text of an event's body, the same at every time (`webhook.body`). */
export function bodyOf(event: AboutEvent & { readonly body: EventBody }): string {
  return typeof event.body === "string" ? event.body : event.body.write(event);
}
