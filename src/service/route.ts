import { routesOf } from "../http/route.ts";
import type { ApiError } from "./api-error.ts";
import type { AssumptionId } from "./assumption-table.ts";

/** Who may call a route (part 5). A client key opens the one intent that it was made for (`auth.client-key`). */
export type Credential = "bearer" | "bearer-or-client-key" | "admin-key" | "none";

/** Who called, as the credential told. */
export type Caller =
  | { readonly kind: "merchant"; readonly merchantId: string }
  | { readonly kind: "client-key"; readonly merchantId: string; readonly intentId: string }
  | { readonly kind: "admin"; readonly merchantId?: never }
  | { readonly kind: "nobody"; readonly merchantId?: never };

/** What the routes of this service speak of. */
export interface PaymentWords {
  readonly credential: Credential;
  readonly caller: Caller;
  readonly error: ApiError;
  readonly assumption: AssumptionId;
}

/** Declares routes on these commands. */
export function defineRoute<Commands>() {
  return routesOf<PaymentWords, Commands>();
}
