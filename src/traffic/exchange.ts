/** A header as it was sent: its name in lower case, and its value. */
export type Header = readonly [name: string, value: string];

/** A request that was made of the real service, or a delivery that came from it, with the answer to it. */
export interface Exchange {
  /** Where it is written, such as `shop.har, entry 3`. */
  readonly source: string;
  /** Who asked: the merchant, or the service, which delivered an event. */
  readonly kind: "call" | "delivery";
  /** When it began: ISO 8601, UTC. */
  readonly startedAt: string;
  readonly request: {
    readonly method: string;
    /** The whole URL. */
    readonly url: string;
    readonly headers: readonly Header[];
    /** Absent without a body, and where the body is not text. */
    readonly body?: string;
  };
  /** Absent when no answer came. */
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly Header[];
    /** Absent without a body, and where the body is not text. */
    readonly body?: string;
  };
}
