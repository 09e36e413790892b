import type { StoredEntry } from "../engine/journal-entries.ts";
import type { Story } from "./story.ts";

/** How often something was seen, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** What a search has tried, and what of the service it has seen. */
export interface Coverage {
  /** How often each trouble struck at each kind of place, such as `call payment-intent.create` and `response.lost`. */
  readonly troubles: Readonly<Record<string, Counts>>;
  /** The troubles that were planned and never struck, by place. */
  readonly neverStruck: Readonly<Record<string, readonly string[]>>;
  /** The moves of the service's resources, such as `subscription: active → past_due`. */
  readonly moves: Counts;
  /** The types of event that were sent. */
  readonly events: Counts;
  /** The errors that the service answered. */
  readonly errors: Counts;
  readonly flows: Counts;
}

/** Counts what a search tries. */
export class Tried {
  readonly #troubles = new Map<string, Map<string, number>>();
  readonly #moves = new Map<string, number>();
  readonly #events = new Map<string, number>();
  readonly #errors = new Map<string, number>();
  readonly #flows = new Map<string, number>();

  /** @param struck for each trouble of the story, whether it happened */
  add(
    { flow, troubles }: Story,
    struck: readonly boolean[],
    entries: readonly Pick<StoredEntry, "kind" | "details">[],
  ): void {
    count(this.#flows, flow.name);
    for (const [index, { point, trouble }] of troubles.entries()) {
      const place = `${point.kind} ${point.subject}`.trim();
      const counts = this.#troubles.get(place) ?? new Map<string, number>();
      this.#troubles.set(place, counts);
      counts.set(trouble, (counts.get(trouble) ?? 0) + (struck[index] === true ? 1 : 0));
    }
    for (const { kind, details } of entries as readonly {
      readonly kind: string;
      readonly details: Record<string, unknown>;
    }[]) {
      if (
        (kind === "step" || kind === "timer") &&
        typeof details["to"] === "string" &&
        details["from"] !== details["to"]
      )
        count(
          this.#moves,
          `${String(details["resource"])}: ${typeof details["from"] === "string" ? `${details["from"]} → ` : ""}${details["to"]}`,
        );
      else if (kind === "webhook" && typeof details["type"] === "string") count(this.#events, details["type"]);
      else if (kind === "answer" && typeof details["code"] === "string") count(this.#errors, details["code"]);
    }
  }

  get coverage(): Coverage {
    const places = [...this.#troubles];
    return {
      troubles: Object.fromEntries(
        places.map(([place, counts]) => [place, Object.fromEntries([...counts].filter(([, times]) => times > 0))]),
      ),
      neverStruck: Object.fromEntries(
        places.flatMap(([place, counts]) => {
          const never = [...counts].filter(([, times]) => times === 0).map(([name]) => name);
          return never.length === 0 ? [] : [[place, never]];
        }),
      ),
      moves: Object.fromEntries(this.#moves),
      events: Object.fromEntries(this.#events),
      errors: Object.fromEntries(this.#errors),
      flows: Object.fromEntries(this.#flows),
    };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
