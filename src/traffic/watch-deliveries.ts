import type { IncomingMessage, ServerResponse } from "node:http";
import { listenToChannel } from "../kit/base/runtime/diagnostics.ts";
import { inPairs } from "./exchange.ts";
import type { Header } from "./exchange.ts";
import type { Recorder } from "./recorder.ts";

type Push = IncomingMessage["push"];
type Write = (chunk: unknown, ...others: unknown[]) => boolean;
type End = (...parameters: unknown[]) => ServerResponse;

/**
 * Records the deliveries that reach a server of this process, whichever framework runs on it. It reads along, and changes nothing.
 * @param paths where the merchant takes deliveries
 * @returns a function that ends it
 */
export function watchDeliveries(paths: ReadonlySet<string>, recorder: Recorder): () => void {
  return listenToChannel("http.server.request.start", (message) => {
    const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
    const url = URL.parse(urlOf(request));
    if (url !== null && paths.has(url.pathname)) watchDelivery(request, response, url, recorder);
  });
}

function watchDelivery(request: IncomingMessage, response: ServerResponse, url: URL, recorder: Recorder): void {
  const { method = "POST", rawHeaders } = request;
  const exchange = recorder.begin({ kind: "delivery", method, url: url.href, headers: inPairs(rawHeaders) });
  const push: Push = request.push.bind(request);
  request.push = (chunk: unknown, encoding) => {
    if (chunk instanceof Uint8Array) exchange.requestBody.add(chunk);
    return push(chunk, encoding);
  };
  const see = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string")
      exchange.answerBody.add(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"));
    else if (chunk instanceof Uint8Array) exchange.answerBody.add(chunk);
  };
  const write = response.write.bind(response) as Write;
  response.write = ((chunk: unknown, ...others: unknown[]) => {
    see(chunk, others[0]);
    return write(chunk, ...others);
  }) as ServerResponse["write"];
  const end = response.end.bind(response) as End;
  response.end = ((...parameters: unknown[]) => {
    see(parameters[0], parameters[1]);
    return end(...parameters);
  }) as ServerResponse["end"];
  response.once("close", () => {
    if (!response.writableFinished) {
      exchange.end("The service ended the connection before the answer was whole.");
      return;
    }
    const { statusText, headers } = headOf(response);
    exchange.answer(response.statusCode, statusText, headers);
    exchange.end();
  });
}

/** Returns the head as it was sent: what a handler passes to `writeHead` stands nowhere else. */
function headOf(response: ServerResponse): { readonly statusText: string; readonly headers: readonly Header[] } {
  const [first = "", ...lines] = String(Reflect.get(response, "_header") ?? "").split("\r\n");
  const headers = lines.flatMap((line): Header[] => {
    const colon = line.indexOf(":");
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  return { statusText: first.split(" ").slice(2).join(" "), headers };
}

function urlOf({ url = "/", headers: { host = "localhost" }, socket }: IncomingMessage): string {
  return url.startsWith("/") ? `${"encrypted" in socket ? "https" : "http"}://${host}${url}` : url;
}
