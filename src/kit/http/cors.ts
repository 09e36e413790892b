import type { RawAnswer } from "./route.ts";

const EXPOSED = "idempotent-replayed, retry-after, www-authenticate";

/** The headers without which a browser hides an answer from a page of another origin. */
export const crossOriginHeaders = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/**
 * Answers a preflight request. The service allows every page to send anything.
 * @param methods those that some address of the service takes
 * @param names the headers that the service reads
 */
export function preflight(headers: Headers, methods: string, names: readonly string[]): RawAnswer {
  const asked = headers.get("access-control-request-headers");
  return {
    status: 204,
    headers: {
      // A wildcard would not cover Authorization.
      "access-control-allow-headers": asked ?? names.join(", "),
      "access-control-allow-methods": methods,
      "access-control-allow-origin": "*",
      "access-control-max-age": "600",
    },
    body: "",
  };
}
