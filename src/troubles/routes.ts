/** Whether calls of a route create something that the merchant did not know before. */
export function isMaking(route: string | undefined): boolean {
  return /\.(create|initiate)$/.test(route ?? "");
}

/** Whether calls of a route change something at the service. */
export function isWriting(route: string): boolean {
  return !/\.(get|list|status|polling|session|show|page|keys|metadata)$/.test(route) && route !== "oauth.token";
}

/** Whether calls of a route change nothing. */
export function isReading(route: string): boolean {
  return !isWriting(route) && route !== "oauth.token";
}

/** Whether calls of a route charge a customer. */
export function isCharging(route: string): boolean {
  return /\.(?:confirm|process|process-payment)$/.test(route);
}
