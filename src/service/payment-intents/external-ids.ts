import type { Assumptions } from "../assumption-table.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import { anyText } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";

/** The external ids that merchants have used. The document calls them unique, but not enforced (`http.external-id`). */
export class ExternalIds {
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly #used: Table<string>;

  constructor(engine: Engine, assumptions: Assumptions) {
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.#used = engine.table("external-ids", { row: anyText });
  }

  /** Returns a problem with a second use, if `http.external-id` is `refuse`. */
  problems(merchantId: string, externalId: string | undefined): FieldProblem[] {
    const isFree = externalId === undefined || this.#used.get(keyOf(merchantId, externalId)) === undefined;
    return isFree || this.#assumptions.value("http.external-id") === "note"
      ? []
      : fieldProblems(["externalId"], "was used before");
  }

  /** Remembers which resource used an external id, and notes a second use as a warning. */
  use(merchantId: string, externalId: string | undefined, by: string): void {
    if (externalId === undefined) return;
    const key = keyOf(merchantId, externalId);
    const earlier = this.#used.get(key);
    if (earlier === undefined) {
      this.#used.set(key, by);
      return;
    }
    this.#engine.note("warning", {
      message: `externalId "${this.#engine.journal.redaction.text(externalId)}" of ${by} was used before by ${earlier}`,
    });
  }

  /** Forgets external ids together with the resources that used them first. */
  forget(
    users: readonly {
      readonly id: string;
      readonly data: { readonly merchantId: string; readonly externalId?: string };
    }[],
  ): void {
    const keys = users.flatMap(({ id, data: { merchantId, externalId } }) => {
      const key = externalId === undefined ? undefined : keyOf(merchantId, externalId);
      return key !== undefined && this.#used.get(key) === id ? [key] : [];
    });
    this.#used.forget(keys);
  }
}

function keyOf(merchantId: string, externalId: string): string {
  return `${merchantId} ${externalId}`;
}
