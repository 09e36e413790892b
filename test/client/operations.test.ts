import { expect, test } from "vitest";
import { checkoutRoutes } from "../../src/service/checkout/routes.ts";
import { operations } from "../../src/client/operations.ts";
import { paymentIntentRoutes } from "../../src/service/payment-intents/routes.ts";
import { subscriptionRoutes } from "../../src/service/subscriptions/routes.ts";
import { transactionRoutes } from "../../src/service/transactions/routes.ts";

const routes = [...paymentIntentRoutes, ...checkoutRoutes, ...subscriptionRoutes, ...transactionRoutes];

test.for(Object.entries(operations))("%s asks what its route declares", ([, operation]) => {
  const route = routes.find(({ name }) => name === operation.route);
  expect({ method: route?.method, path: route?.path }).toEqual({ method: operation.method, path: operation.path });
  expect(route?.credential.startsWith(operation.credential)).toBe(true);
});

test("every route of the API has its operation", () => {
  const called = new Set(Object.values(operations).map(({ route }): string => route));
  const ofTheApi = routes.filter(({ path }) => path.startsWith("/api/"));
  expect(ofTheApi.filter(({ name }) => !called.has(name))).toEqual([]);
});
