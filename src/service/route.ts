import { routesOf } from "../kit/http/route.ts";
import type { ApiError } from "./api-error.ts";
import type { AssumptionId } from "./assumption-table.ts";

/** The credential that a route requires (part 5). A client key authorises calls on one intent (`auth.client-key`). */
export type Credential = "bearer" | "bearer-or-client-key" | "admin-key" | "none";

/** The caller, as its credential identifies it. */
export type Caller =
  | { readonly kind: "merchant"; readonly merchantId: string }
  | { readonly kind: "client-key"; readonly merchantId: string; readonly intentId: string }
  | { readonly kind: "admin"; readonly merchantId?: never }
  | { readonly kind: "nobody"; readonly merchantId?: never };

/** The type parameters of this service's routes. */
export interface PaymentWords {
  readonly credential: Credential;
  readonly caller: Caller;
  readonly error: ApiError;
  readonly assumption: AssumptionId;
}

/** Returns a function that declares a route on these commands. */
export function defineRoute<Commands>() {
  return routesOf<PaymentWords, Commands>();
}
