/** What the route handlers of the shop have in common. */
export const orders = new Map<string, string>();
