const EXPOSED = "idempotent-replayed, retry-after, www-authenticate";

/** The headers without which a browser hides an answer from a page of another origin. */
export const crossOriginHeaders = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/**
 * Answers a preflight request. The service allows every page to send anything.
 * @param methods those that some address of the service takes
 * @param names the headers that the service reads
 */
export function preflight(headers: Headers, methods: string, names: readonly string[]): Response {
  const asked = headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": methods,
      // A wildcard would not cover Authorization.
      "access-control-allow-headers": asked ?? names.join(", "),
      "access-control-max-age": "600",
    },
  });
}
