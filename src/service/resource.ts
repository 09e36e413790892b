import { resourcesOf } from "../kit/declaration/resource.ts";
import type { assumptionTable } from "./assumption-table.ts";
import type { PaymentWords } from "./route.ts";

/** The type parameters of this service's resources. */
export interface PaymentTerms extends PaymentWords {
  readonly table: typeof assumptionTable;
}

/** Returns a function that declares a resource of this service with these commands. */
export function defineResource<Commands>() {
  return resourcesOf<PaymentTerms, Commands>();
}
