import { paymentService } from "../service/service.ts";

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

/** Returns the method and path of a route, such as `POST /api/payment-intent`. */
export function callOf(name: string): string | undefined {
  const route = routes.get(name);
  return route && `${route.method} ${route.path}`;
}

/** Whether a route is a page that customers see, or where their clicks go. No merchant calls it. */
export function isForCustomers(name: string): boolean {
  return routes.get(name)?.credential === "none" && !name.startsWith("oauth.");
}
