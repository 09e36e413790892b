import { expect, test } from "vitest";
import { checkoutRoutes } from "../../src/checkout/routes.ts";
import { operations } from "../../src/client/operations.ts";
import { paymentIntentRoutes } from "../../src/payment-intents/routes.ts";

const routes = [...paymentIntentRoutes, ...checkoutRoutes];

test.for(Object.entries(operations))("%s asks what its route declares", ([, operation]) => {
  const route = routes.find(({ name }) => name === operation.route);
  expect({ method: route?.method, path: route?.path }).toEqual({ method: operation.method, path: operation.path });
  expect(route?.credential.startsWith(operation.credential)).toBe(true);
});
