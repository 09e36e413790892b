import { CentavoError } from "../errors/centavo-error.ts";
import type { Row } from "./lifecycle.ts";

/** Something that happened to a resource, in the past tense, with the immutable row of its step. */
export interface Fact<FactRow extends Row = Row> {
  /** The name under which the world speaks of it, such as `payment_intent.succeeded`. */
  readonly type: string;
  /** The lifecycle whose resource it concerns. */
  readonly resource: string;
  readonly row: FactRow;
  readonly at: number;
}

const MOST_FOR_EACH_CAUSE = 1000;

/** The facts of the unit that is running: one queue, in the order in which they happened, with those who answer them. */
export class Facts {
  readonly #reactions: ((fact: Fact) => void)[] = [];
  readonly #queue: Fact[] = [];

  addReaction(reaction: (fact: Fact) => void): void {
    this.#reactions.push(reaction);
  }

  add(fact: Fact): void {
    this.#queue.push(fact);
  }

  /** Lets every reaction answer every fact, and the facts that follow from their answers. */
  drain(): void {
    const most = MOST_FOR_EACH_CAUSE * (1 + this.#queue.length);
    for (let next = 0; next < this.#queue.length; next += 1) {
      const fact = this.#queue[next] as Fact;
      if (next === most) {
        throw new CentavoError(
          "MACHINE_DEFECT",
          `More than ${most} facts followed from one command; the next is ${fact.type} of ${fact.row.id}. Reactions answer one another in a loop.`,
        );
      }
      for (const react of this.#reactions) react(fact);
    }
  }

  clear(): void {
    this.#queue.length = 0;
  }
}
