import { asLiteral } from "../kit/base/errors/literal.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { ReportedRun } from "./reported-run.ts";

/** The faults that were planned in a run, each with how often it struck. */
export class PlannedFaults {
  readonly #planned = new Map<string, { id: string; what: string; hits: number }>();

  /** Takes the next entry of the journal. */
  take({ kind, details }: StoredEntry): void {
    if (kind !== "fault") return;
    if (details.act === "add") {
      const { act: _, id, kind: name, ...fields } = details;
      this.#planned.set(id, { id, what: `${name} ${asLiteral(fields)}`, hits: 0 });
    }
    const struck = details.act === "strike" ? this.#planned.get(details.id) : undefined;
    if (struck !== undefined) struck.hits += 1;
  }

  get all(): ReportedRun["faults"] {
    return [...this.#planned.values()];
  }
}
