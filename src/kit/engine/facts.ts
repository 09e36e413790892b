import { CentavoError } from "../base/errors/centavo-error.ts";
import type { Row } from "./lifecycle.ts";

/** Something that happened to a resource, named in the past tense, with the immutable row that resulted. */
export interface Fact<FactRow extends Row = Row> {
  /** Its name, such as `charge.succeeded`. */
  readonly type: string;
  /** The name of the resource's lifecycle. */
  readonly resource: string;
  readonly row: FactRow;
  readonly at: number;
}

const MOST_FOR_EACH_CAUSE = 1000;

/** The facts of the running unit in order, and the reactions to them. */
export class Facts {
  readonly #reactions: ((fact: Fact) => void)[] = [];
  readonly #endings: ((facts: readonly Fact[]) => void)[] = [];
  readonly #queue: Fact[] = [];

  /** @param atEnd gets all facts of a unit, once no more follow; it must cause none */
  addReaction(reaction: (fact: Fact) => void, atEnd?: (facts: readonly Fact[]) => void): void {
    this.#reactions.push(reaction);
    if (atEnd !== undefined) this.#endings.push(atEnd);
  }

  add(fact: Fact): void {
    this.#queue.push(fact);
  }

  /** Runs every reaction on every fact, including facts that reactions cause. */
  drain(): void {
    const most = MOST_FOR_EACH_CAUSE * (1 + this.#queue.length);
    for (let next = 0; next < this.#queue.length; next += 1) {
      const fact = this.#queue[next] as Fact;
      if (next === most) {
        throw new CentavoError(
          "MACHINE_DEFECT",
          `More than ${most} facts followed from one command; the next is ${fact.type} of ${fact.row.id}. Reactions cause one another in a loop.`,
        );
      }
      for (const react of this.#reactions) react(fact);
    }
    if (this.#queue.length > 0) for (const end of this.#endings) end(this.#queue);
  }

  clear(): void {
    this.#queue.length = 0;
  }
}
