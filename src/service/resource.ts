import { resourcesOf } from "../declaration/resource.ts";
import type { assumptionTable } from "./assumption-table.ts";
import type { PaymentWords } from "./route.ts";

/** What the resources of this service speak of. */
export interface PaymentTerms extends PaymentWords {
  readonly table: typeof assumptionTable;
}

/** Declares a resource of this service with these commands. */
export function defineResource<Commands>() {
  return resourcesOf<PaymentTerms, Commands>();
}
