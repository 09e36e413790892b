/** Handlers that Centavo cannot tell by their parameters, and what their messages say. */

/**
 * Says how a bare function was called, and what to connect if that was wrong.
 * @returns undefined for an app of a framework, whose function has members
 */
export function guessAbout(app: (...given: never[]) => unknown): string | undefined {
  if (Object.keys(app).length > 0) return undefined;
  const because = `because it has ${app.length} ${app.length === 1 ? "parameter" : "parameters"}`;
  if (app.length < 2) {
    return (
      `If it takes (req, res), connect { listener: handler }: Centavo called it with a Request alone, ${because}. ` +
      "If it takes what a framework makes of a request, connect the framework's app, or { fetch: (request) => handler({ request, … }) }."
    );
  }
  return (
    "If it takes a Request, connect { fetch: (request) => handler(request, …) }; for Next's Pages API, nextPagesApi(folder) of " +
    `centavo/testing; else the framework's app. Centavo called it with (req, res), ${because}.`
  );
}

/**
 * Says how the `fetch` of an object was called, as that of a Worker.
 * @returns undefined for one that takes a `Request` alone
 */
export function guessAboutFetch(fetch: (...given: never[]) => unknown): string | undefined {
  if (fetch.length < 2) return undefined;
  return `Its fetch has ${fetch.length} parameters, and Centavo called it with a Request alone. Connect { fetch: (request) => worker.fetch(request, env, ctx) }, which hands over the others.`;
}

/** What messages say of a handler that returned what a Lambda returns. */
export const LAMBDA_ANSWER =
  "an object with statusCode, as a Lambda does. Connect a fetch handler that calls it, { fetch: async (request) => { … } }: it makes " +
  "the event of the request, and a Response of what the Lambda returns.";

export function isLambdaAnswer(returned: unknown): boolean {
  return (
    typeof returned === "object" &&
    returned !== null &&
    "statusCode" in returned &&
    // A listener may return its response, or a stream that writes to it.
    !("write" in returned)
  );
}
