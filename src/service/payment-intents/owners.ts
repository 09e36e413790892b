import { CentavoError } from "../../errors/centavo-error.ts";
import type { IntentRow, IntentTerms } from "./machine.ts";

/** What the intents of one purpose belong to. */
export interface IntentOwner {
  /** Answers where the customer goes after a challenge. */
  returnAddress(intent: IntentRow): string | undefined;
  /** Answers the ids by which a fault may mean the intent's charge, beside those that the intent itself knows. */
  ids(intent: IntentRow): readonly (string | undefined)[];
  /** Returns true while an intent that has come to its end is still needed. */
  needs(intent: IntentRow): boolean;
  /** Forgets what belongs to intents that are being forgotten. */
  forget(intents: readonly IntentRow[]): void;
}

/** The owners of intents, one for each purpose. */
export class IntentOwners {
  readonly #byPurpose = new Map<IntentTerms["purpose"], IntentOwner>();

  /** @throws {CentavoError} `MACHINE_DEFECT` when the purpose has an owner already */
  register(purpose: IntentTerms["purpose"], owner: IntentOwner): void {
    if (this.#byPurpose.has(purpose))
      throw new CentavoError("MACHINE_DEFECT", `Intents with the purpose "${purpose}" belong to somebody already.`);
    this.#byPurpose.set(purpose, owner);
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` when nobody registered for the intent's purpose */
  of({ data: { purpose } }: IntentRow): IntentOwner {
    const owner = this.#byPurpose.get(purpose);
    if (owner === undefined)
      throw new CentavoError("MACHINE_DEFECT", `Intents with the purpose "${purpose}" belong to nobody.`);
    return owner;
  }

  forget(intents: readonly IntentRow[]): void {
    for (const [purpose, owner] of this.#byPurpose)
      owner.forget(intents.filter(({ data }) => data.purpose === purpose));
  }
}
