/** Every method that some address of the service takes. */
export const METHODS = "GET, HEAD, POST, PATCH, DELETE, OPTIONS";

const EXPOSED = "idempotent-replayed, retry-after, www-authenticate";

/** What a browser needs to see before it shows a page of another origin the answer. */
export const crossOriginHeaders = { "access-control-allow-origin": "*", "access-control-expose-headers": EXPOSED };

/** A browser asks before it sends; the service lets every page send whatever it likes. */
export function preflight(headers: Headers): Response {
  const asked = headers.get("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": METHODS,
      // A wildcard would not cover Authorization.
      "access-control-allow-headers": asked ?? "authorization, content-type, idempotency-key, x-admin-key",
      "access-control-max-age": "600",
    },
  });
}
