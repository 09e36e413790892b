import { textOf } from "../base/errors/thrown-values.ts";
import { listen, type NodeListener, openHttpClient } from "../base/runtime/http.ts";
import { asCallerNow, endOfAnswer } from "./app-work.ts";
import { type Called, type Exchange, failed, hintAbout, nameOf, networkFailure } from "./exchange.ts";
import { isLambdaAnswer, LAMBDA_ANSWER } from "./handler-shapes.ts";
import { isResponse } from "./merchant-app.ts";

/**
 * Carries the key of the error that a listener threw. The error itself may be too long for a header, or contain characters that headers
 * cannot carry.
 */
const THREW_HEADER = "x-centavo-threw";

/** The statuses with which signature checks refuse. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);

/** A listener behind an http server. */
export interface ServedListener {
  readonly exchange: Exchange;
  close(): Promise<void>;
}

/**
 * Serves a `(req, res)` listener on a loopback port. It sees each request as a proxy would pass it on: same path, query, method,
 * headers, `Host` and bytes, with `X-Forwarded-Host` and `X-Forwarded-Proto`.
 *
 * @param onParsedRefusal called when the listener refuses a request whose body it parsed without keeping the bytes
 */
export async function serveListener(
  called: Called,
  listener: NodeListener,
  onParsedRefusal: () => void,
): Promise<ServedListener> {
  const { name } = called;
  const thrown = new Map<string, string>();
  let asReceiver = asCallerNow();
  const watched: NodeListener = (request, response) => {
    response.once("finish", () => {
      if (REFUSALS.has(response.statusCode) && isParsed(request)) onParsedRefusal();
    });
    return asReceiver(() => {
      response.once("finish", endOfAnswer());
      return listener(request, response);
    });
  };
  const server = await listen(reportingErrors(watched, called, thrown));
  const client = openHttpClient("http:", { keepAlive: true });
  const exchange: Exchange = async (request, signal, bodyLimit) => {
    asReceiver = asCallerNow();
    const { host, pathname, search, protocol } = new URL(request.url);
    const forwarded = { host, "x-forwarded-host": host, "x-forwarded-proto": protocol.slice(0, -1) };
    try {
      const url = new URL(server.url + pathname + search);
      const response = await client.send(request, url, forwarded, signal, bodyLimit);
      const key = response.headers.get(THREW_HEADER) ?? "";
      const threw = thrown.get(key);
      thrown.delete(key);
      return threw === undefined ? response : failed("threw", `${name} threw on ${nameOf(request)}: ${threw}`);
    } catch (error) {
      return networkFailure(name, request, error);
    }
  };
  return {
    exchange,
    close: () => {
      client.close();
      return server.close();
    },
  };
}

/** Tells the sender what a listener threw. An error after the end of the answer stays an unhandled rejection. */
function reportingErrors(listener: NodeListener, called: Called, thrown: Map<string, string>): NodeListener {
  let count = 0;
  return (request, response) => {
    const report = (error: unknown, hint = hintAbout(error, called)) => {
      if (response.writableEnded) throw error;
      if (response.headersSent) response.destroy();
      else {
        count += 1;
        thrown.set(String(count), textOf(error) + hint);
        response.writeHead(500, { [THREW_HEADER]: count }).end();
      }
    };
    const call = async () => {
      const returned: unknown = await listener(request, response);
      if (isResponse(returned)) {
        report(
          new TypeError(
            "a listener of two parameters returned a Response; if it is a fetch handler, connect { fetch: app }",
          ),
          "",
        );
      } else if (isLambdaAnswer(returned) && !response.headersSent)
        report(new TypeError(`it returned ${LAMBDA_ANSWER}`), "");
    };
    void call().catch((error: unknown) => report(error));
  };
}

/**
 * Whether a framework such as `express.json()` put parsed JSON on a request without its bytes. Signature checks keep the bytes in
 * `rawBody`.
 */
function isParsed(request: object): boolean {
  const { body, rawBody } = request as { readonly body?: unknown; readonly rawBody?: unknown };
  return typeof body === "object" && body !== null && !ArrayBuffer.isView(body) && rawBody === undefined;
}
