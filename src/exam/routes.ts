/** Whether a call of a route makes something that the merchant did not know before. */
export function isMaking(route: string | undefined): boolean {
  return /\.(create|initiate)$/.test(route ?? "");
}

/** Whether a call of a route changes something at the service. */
export function isWriting(route: string): boolean {
  return !/\.(get|list|status|polling|session|show|page|keys|metadata)$/.test(route) && route !== "oauth.token";
}
