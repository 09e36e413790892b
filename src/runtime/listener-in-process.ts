import { Buffer } from "node:buffer";
import inject from "light-my-request";

import type { NodeListener } from "./http.ts";

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

/** Calls a `(req, res)` listener in the process, without a socket: a socket's packets come in an order that no seed decides. */
export async function callListener(listener: NodeListener, request: Request): Promise<Response> {
  const { method, url, headers } = request;
  const { origin, host } = new URL(url);
  const payload = request.body === null ? {} : { payload: Buffer.from(await request.arrayBuffer()) };
  const options = { url: url.slice(origin.length), authority: host, headers: Object.fromEntries(headers), ...payload };
  const { statusCode, headers: given, rawPayload } = await inject(listener, { ...options, method });
  const answered = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
  const body = WITHOUT_BODY.has(statusCode) ? null : new Uint8Array(rawPayload);
  return new Response(body, { status: statusCode, headers: answered });
}
