/** What the work of `after()` did, in its order. */
export const ran: string[] = [];
