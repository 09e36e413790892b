import type { Assumptions } from "../assumption-table.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Table } from "../../engine/table.ts";
import { invalidField } from "../api-error.ts";
import { redactText } from "../../redaction/redaction.ts";

/** The external ids that merchants used, which the document calls unique without saying that this is enforced (`http.external-id`). */
export class ExternalIds {
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly #used: Table<string>;

  constructor(engine: Engine, assumptions: Assumptions) {
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.#used = engine.table("external-ids");
  }

  /** Remembers what an external id was used for. @throws {ApiError} a validation error for a second use, where the assumption says so */
  use(merchantId: string, externalId: string | undefined, by: string): void {
    if (externalId === undefined) return;
    const key = keyOf(merchantId, externalId);
    const earlier = this.#used.get(key);
    if (earlier === undefined) {
      this.#used.set(key, by);
      return;
    }
    if (this.#assumptions.value("http.external-id") === "refuse") throw invalidField("externalId", "was used before");
    this.#engine.note("warning", {
      message: `externalId "${redactText(externalId)}" of ${by} was used before by ${earlier}`,
    });
  }

  /** Lets go of external ids together with what used them first. */
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
