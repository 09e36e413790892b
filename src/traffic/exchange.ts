/** A header as it was sent: its name in lower case, and its value. */
export type Header = readonly [name: string, value: string];

/** Returns headers from a list in which names and values take turns, as Node has them. */
export function inPairs(rawHeaders: readonly string[]): readonly Header[] {
  const pairs: Header[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  return pairs;
}

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
