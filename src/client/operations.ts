/** One call of the client: what it asks of which route. */
export interface Operation {
  /** The route's name. */
  readonly route: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With at most one parameter. */
  readonly path: string;
  readonly credential: "bearer" | "admin-key";
}

/**
 * The client's own list of routes: importing the routes themselves would bring the engine into every script. A test holds each
 * entry to the declared route of its name.
 */
export const operations = {
  createIntent: { route: "payment-intent.create", method: "POST", path: "/api/payment-intent", credential: "bearer" },
  confirmIntent: {
    route: "payment-intent.confirm",
    method: "POST",
    path: "/api/payment-intent/{intentId}/confirm",
    credential: "bearer",
  },
  intentStatus: {
    route: "payment-intent.status",
    method: "GET",
    path: "/api/payment-intent/{intentId}/status",
    credential: "bearer",
  },
  createCheckout: { route: "checkout.create", method: "POST", path: "/api/checkout", credential: "bearer" },
  processCheckout: {
    route: "checkout.process",
    method: "POST",
    path: "/api/checkout/process/{sessionToken}",
    credential: "bearer",
  },
  pollCheckout: {
    route: "checkout.polling",
    method: "GET",
    path: "/api/checkout/polling/{sessionToken}",
    credential: "bearer",
  },
  checkoutSession: {
    route: "checkout.session",
    method: "GET",
    path: "/api/checkout/session/{sessionToken}",
    credential: "admin-key",
  },
} as const satisfies Record<string, Operation>;
