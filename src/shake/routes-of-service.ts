import { pathInForce } from "../service/rerouting.ts";
import { paymentService } from "../service/service.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { valuesIn } from "./placed-trouble.ts";

interface Route {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly credential: string;
}

const routes: ReadonlyMap<string, Route> = new Map(
  paymentService.resources
    .flatMap((resource) => resource.routes as readonly Route[])
    .map((route) => [route.name, route] as const),
);

/** Returns the method and path of a route in the service of a test, such as `POST /api/payment-intent`. */
export function callOf(name: string, plain: TestRecord): string | undefined {
  const route = routes.get(name);
  return route && `${route.method} ${pathInForce(route, valuesIn(plain))}`;
}

/** Whether the service has a route. */
export function isRoute(name: string): boolean {
  return routes.has(name);
}

/** Whether a route is a page that customers see, or where their clicks go. No merchant calls it. */
export function isForCustomers(name: string): boolean {
  return routes.get(name)?.credential === "none" && !name.startsWith("oauth.");
}
