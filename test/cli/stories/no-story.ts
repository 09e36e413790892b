/** What stories share may stand beside them. */
export const amount = 10_000;
