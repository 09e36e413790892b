/** The shop behind the route handlers. The test opens it, as `instrumentation.ts` does under Next. */
export const shop = { core: undefined };
