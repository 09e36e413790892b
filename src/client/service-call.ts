import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { Reading } from "../service/wire/reading.ts";
import { confirmBodyIn } from "../service/wire/confirm-call.ts";
import type { ConfirmForm } from "../service/wire/confirm-call.ts";
import { pathUnder } from "../service/wire/paths.ts";
import type { PathRows } from "../service/wire/paths.ts";
import { readAnswer, ServiceError } from "./service-error.ts";

/** How a call is made. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The name of its route, by which assumptions give it another path and body. */
  readonly route: string;
  /** The path below the base URL in the service document, with at most one parameter. */
  readonly path: string;
  readonly credential: "bearer" | "admin-key";
  /** What a call is given before its options, in this order. */
  readonly takes: readonly ("parameter" | "body" | "query")[];
}

/** Options of a single call. */
export interface CallOptions {
  /**
   * Sent as `Idempotency-Key`. A second call with the same key gets the first answer and changes nothing. While the first call is still
   * being answered, the second fails with `IDEMPOTENCY_KEY_IN_USE`: the payment was not refused, so call again later
   * (`http.idempotency-key`).
   */
  readonly idempotencyKey?: string;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
}

/** The parameters, body and options of a call. */
export interface CallContent extends CallOptions {
  /** The path's parameter, if it has one. */
  readonly parameter?: string;
  /** The query. Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/** Makes a call and returns the envelope's `data`. */
export type ServiceCall = (operation: Operation, content?: CallContent) => Promise<unknown>;

/** The values of the rows that say where a call goes, and what it sends. */
type CallRows = PathRows & { readonly "intent.confirm-request"?: ConfirmForm | undefined };

/** The options that all calls share. */
export interface ServiceCallOptions {
  readonly baseUrl: string;
  readonly adminKey: string | undefined;
  readonly assumptions: CallRows;
  readonly tokens: AccessTokens;
  readonly reading: Reading;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

/** Returns a function that calls with the operation's credential. If the service refuses the access token, it replaces the token and repeats the call once. */
export function serviceCall({
  baseUrl,
  adminKey,
  assumptions,
  tokens,
  reading,
  send,
}: ServiceCallOptions): ServiceCall {
  const attempt = async (
    { method, route }: Operation,
    path: string,
    credential: Record<string, string>,
    { body, query, idempotencyKey, signal }: CallContent,
  ): Promise<unknown> => {
    const headers: Record<string, string> = { accept: "application/json", ...credential };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(bodyUnder(assumptions, route, body));
    if (signal !== undefined) init.signal = signal;
    return readAnswer(`${method} ${path}`, await send(baseUrl + path, init), reading, { route, query });
  };

  return async (operation, content = {}) => {
    const path = addressOf(pathUnder(assumptions, operation.route, operation.path), content);
    if (operation.credential === "admin-key") {
      if (adminKey !== undefined) return attempt(operation, path, { "x-admin-key": adminKey }, content);
      throw new CentavoError(
        "INVALID_OPTION",
        `${operation.method} ${operation.path} is for the administrator: pass the option adminKey to createClient. A simulator has it as sim.credentials.adminKey.`,
      );
    }
    const token = await tokens.current();
    try {
      return await attempt(operation, path, { authorization: `Bearer ${token}` }, content);
    } catch (error) {
      if (!(error instanceof ServiceError) || !refusesToken(error)) throw error;
      return attempt(operation, path, { authorization: `Bearer ${await tokens.after(token)}` }, content);
    }
  };
}

function bodyUnder({ "intent.confirm-request": form }: CallRows, route: string, body: unknown): unknown {
  return form !== undefined && route === "payment-intent.confirm" ? confirmBodyIn(form, body) : body;
}

/** Whether the service does not take the access token, whatever status it says so with (`http.error-status`). */
function refusesToken({ code, status }: ServiceError): boolean {
  return code === undefined ? status === 401 : code === "UNAUTHORIZED";
}

function addressOf(path: string, { parameter = "", query = {} }: CallContent): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(parameter));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
