import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { IntentRow, IntentTerms } from "./machine.ts";

/** The owner of all intents of one purpose. */
export interface IntentOwner {
  /** Returns the URL to which the customer returns after a challenge. */
  returnAddress(intent: IntentRow): string | undefined;
  /** Returns further ids by which a fault can select the intent's charge, beside those in the intent. */
  ids(intent: IntentRow): readonly (string | undefined)[];
  /** Whether an intent is still needed after its end. */
  needs(intent: IntentRow): boolean;
  /** Forgets the resources of intents that are being forgotten. */
  forget(intents: readonly IntentRow[]): void;
}

/** The owners of intents, one for each purpose. */
export class IntentOwners {
  readonly #byPurpose = new Map<IntentTerms["purpose"], IntentOwner>();

  /** @throws {CentavoError} `MACHINE_DEFECT` when the purpose already has an owner */
  register(purpose: IntentTerms["purpose"], owner: IntentOwner): void {
    if (this.#byPurpose.has(purpose))
      throw new CentavoError("MACHINE_DEFECT", `Intents with the purpose "${purpose}" already have an owner.`);
    this.#byPurpose.set(purpose, owner);
  }

  /** @throws {CentavoError} `MACHINE_DEFECT` when the intent's purpose has no owner */
  of({ data: { purpose } }: IntentRow): IntentOwner {
    const owner = this.#byPurpose.get(purpose);
    if (owner === undefined)
      throw new CentavoError("MACHINE_DEFECT", `Intents with the purpose "${purpose}" have no owner.`);
    return owner;
  }

  forget(intents: readonly IntentRow[]): void {
    for (const [purpose, owner] of this.#byPurpose)
      owner.forget(intents.filter(({ data }) => data.purpose === purpose));
  }
}
