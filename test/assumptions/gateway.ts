import { createServer, IncomingMessage } from "node:http";
import type { RequestListener, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { AssumptionOverrides, Simulator } from "../../src/index.ts";
import { signWebhook, verifyWebhook } from "../../src/webhooks.ts";
import { operations } from "../../src/client/operations.ts";
import { errorTable } from "../../src/service/error-table.ts";
import { confirmBodyIn } from "../../src/service/wire/confirm-call.ts";
import { authPathsUnder, pathUnder } from "../../src/service/wire/paths.ts";
import { Reading } from "../../src/service/wire/reading.ts";
import { tokenCall } from "../../src/service/wire/token-call.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type FetchHandler = (request: Request) => Promise<Response> | Response;
type App = RequestListener | FetchHandler;

const CREATE = "payment-intent.create";

const calls = Object.values(operations)
  .flatMap((group) => Object.values(group))
  .map((operation) =>
    Object.assign({}, operation, { pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/, "([^/]+)")}$`) }),
  )
  // Fixed words win over variables.
  .toSorted((left, right) => Number(left.path.includes("{")) - Number(right.path.includes("{")));

/**
 * Stands between a shop that knows the service document alone and a service under other assumptions: it calls the paths in force, and
 * writes answers and events as the document has them. So a shop shows whether the readings of `Reading` lose anything.
 * @param toService calls the service
 */
export function gatewayTo(sim: Simulator, assumptions: AssumptionOverrides, toService: Fetch = sim.fetch) {
  const reading = new Reading(assumptions);
  const pathOfCreate = pathUnder(assumptions, CREATE, "/api/payment-intent");

  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const call = calls.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
    if (call === undefined) return isTokenCall(request) ? tokens(request) : toService(request);
    const [, parameter = ""] = call.pattern.exec(url.pathname) ?? [];
    const query = Object.fromEntries(url.searchParams);
    url.pathname = pathUnder(assumptions, call.route, call.path).replace(/\{\w+\}/, parameter);
    const { method, headers, signal } = request;
    const body = request.body === null ? {} : { body: complete(call.route, await request.text()) };
    const answer = await toService(url, { method, headers, signal, ...body });
    return translated(answer, { route: call.route, query });
  }

  /** Adds what the service in force requires of a payment intent, and the document does not, and names the method of confirm as it reads it. */
  function complete(route: string, text: string): string {
    const body = parsedOr(text);
    if (typeof body !== "object" || body === null) return text;
    const form = assumptions["intent.confirm-request"];
    if (route === "payment-intent.confirm" && form !== undefined) return JSON.stringify(confirmBodyIn(form, body));
    if (route !== CREATE) return text;
    const { contact, ...given } = body as { readonly contact?: object };
    const extra = { description: "An order", externalId: "an order", metadata: {} };
    const person = { name: "Ana Cruz", email: "ana@customer.example", phone: "+639170000000" };
    const required = new Set<string>(assumptions["intent.create-fields"]);
    const added = Object.entries(extra).filter(([name]) => required.has(name));
    const named = Object.entries(person).filter(([name]) => required.has(`contact.${name}`));
    const whole = named.length === 0 ? contact : { ...Object.fromEntries(named), ...contact };
    return JSON.stringify({ ...Object.fromEntries(added), ...given, contact: whole });
  }

  /** Passes a token call on in the form in force. */
  async function tokens(request: Request): Promise<Response> {
    const text = await request.text();
    const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
    const fields = (isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)) as Record<
      string,
      string
    >;
    const { grant_type = "client_credentials", client_id = "", client_secret = "", refresh_token } = fields;
    const grant = { grant_type, client_id, client_secret, ...(refresh_token === undefined ? {} : { refresh_token }) };
    const { token, refresh } = authPathsUnder(assumptions);
    const path = grant_type === "refresh_token" ? refresh : token;
    const { body, headers } = tokenCall(assumptions["auth.token-request"] ?? {}, grant);
    const answer = await toService(new URL(path, request.url), {
      method: "POST",
      headers,
      body,
      signal: request.signal,
    });
    const read = answer.ok ? reading.token(parsedOr(await answer.clone().text())) : undefined;
    if (read === undefined) return translated(answer, { route: "auth.token", query: {} });
    return Response.json({ access_token: read.access, token_type: "Bearer", refresh_token: read.refresh });
  }

  async function translated(
    answer: Response,
    call: { readonly route: string; readonly query: Record<string, string> },
  ) {
    const text = await answer.text();
    const headers = new Headers(answer.headers);
    headers.delete("content-length");
    const parsed = parsedOr(text);
    if (answer.ok) {
      const success = reading.success(parsed, call);
      return success === undefined
        ? new Response(text, { status: answer.status, headers })
        : Response.json({ success: true, data: success.data }, { status: answer.status, headers });
    }
    const { code, ...told } = reading.failure(answer.status, parsed);
    if (code === undefined || !Object.hasOwn(errorTable, code))
      return new Response(text, { status: answer.status, headers });
    const { message = "", errors, requiresAction, redirectUrl } = told;
    const challenge = requiresAction
      ? { requiresAction, redirectUrl, nextAction: { type: "redirect", redirectUrl } }
      : {};
    return Response.json(
      { success: false, message, code, errors, ...challenge },
      { status: errorTable[code].status, headers },
    );
  }

  /** Returns a delivery as the document has it, signed as by default. What the service did not sign stays as it is. */
  async function delivered(request: Request): Promise<Request> {
    if (request.method !== "POST") return request;
    const { webhookSecret } = sim.credentials;
    const how = { assumptions, tolerance: Number.POSITIVE_INFINITY };
    const event = await verifyWebhook(request.clone(), webhookSecret, how).catch(() => undefined);
    if (event === undefined) return request;
    const body = JSON.stringify(event);
    const headers = new Headers(request.headers);
    headers.delete("content-length");
    const timestamp = stampOf(request.headers) * 1000;
    const signed = signWebhook({ scheme: "paymongo", secret: webhookSecret, body, eventId: event.id, timestamp });
    for (const [name, value] of Object.entries(signed)) headers.set(name, value);
    return new Request(request.url, { method: "POST", headers, body });
  }

  /** Puts an app behind the gateway. */
  function behind(app: App): App {
    if (app.length < 2) return async (request: Request) => (app as FetchHandler)(await delivered(request));
    const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const request = await delivered(requestOf(incoming));
      (app as RequestListener)(await incomingOf(request, incoming), response);
    };
    return (incoming: IncomingMessage, response: ServerResponse) => void pass(incoming, response);
  }

  /** Sends a call of a client that knows the assumptions, with the fields that it does not know to be required. */
  async function sendCompleted(url: string, init: RequestInit): Promise<Response> {
    const isCreate = init.method === "POST" && new URL(url).pathname === pathOfCreate;
    return toService(url, isCreate ? { ...init, body: complete(CREATE, init.body as string) } : init);
  }

  return { send, sendCompleted, behind };
}

/** Returns the simulator of a story, which connects apps behind the gateway. */
export function connectingBehind(
  { behind }: ReturnType<typeof gatewayTo>,
  sim: Simulator,
  defer: (close: () => void) => void,
): Simulator {
  const connect = (url: string, app: App): void => {
    const handler = app.length < 2 ? (app as FetchHandler) : served(app as RequestListener, defer);
    sim.connect(url, behind(handler) as FetchHandler);
  };
  return new Proxy(sim, {
    get: (target, name) => (name === "connect" ? connect : Reflect.get(target, name, target)) as unknown,
  });
}

/** Opens an app of Node on a loopback port. */
function served(app: RequestListener, defer: (close: () => void) => void): FetchHandler {
  const server = createServer(app);
  const listening = new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return async (request) => {
    await listening;
    const { pathname, search } = new URL(request.url);
    const { port } = server.address() as AddressInfo;
    const { method, headers } = request;
    const body = request.body === null ? {} : { body: await request.arrayBuffer() };
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, { method, headers, redirect: "manual", ...body });
  };
}

function requestOf(incoming: IncomingMessage): Request {
  const { method = "GET", url = "/", headers } = incoming;
  const body = ["GET", "HEAD"].includes(method) ? {} : { body: Readable.toWeb(incoming), duplex: "half" as const };
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: headers as HeadersInit,
    ...body,
  } as RequestInit);
}

/** Returns a request as Node's server gives it, on the connection of another. */
async function incomingOf(request: Request, { socket, url, method }: IncomingMessage): Promise<IncomingMessage> {
  const incoming = new IncomingMessage(socket);
  const body = Buffer.from(await request.arrayBuffer());
  const headers = Object.fromEntries(request.headers);
  if (body.length > 0) headers["content-length"] = String(body.length);
  Object.assign(incoming, { url, method, headers });
  incoming.push(body);
  incoming.push(null);
  return incoming;
}

function isTokenCall({ method, url }: Request): boolean {
  return method === "POST" && Object.values(authPathsUnder({})).slice(0, 2).includes(new URL(url).pathname);
}

/** Returns the second in which a delivery was signed, in any scheme. */
function stampOf(headers: Headers): number {
  for (const [name, value] of headers) {
    if (name.endsWith("-timestamp")) return Number(value);
    const [, seconds] = /^t=(\d+),/.exec(value) ?? [];
    if (seconds !== undefined) return Number(seconds);
  }
  return Number.NaN;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
