import { CentavoError } from "../errors/centavo-error.ts";
import type { AccessTokens } from "./access-tokens.ts";
import type { Operation } from "./operations.ts";
import { readAnswer, ServiceError } from "./service-error.ts";

/** What one call may say beside its body. */
export interface CallOptions {
  /** Sent as `Idempotency-Key`: the same key repeats the first answer instead of doing things twice (`http.idempotency-key`). */
  readonly idempotencyKey?: string;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
}

/** What a call is made with. */
export interface CallContent extends CallOptions {
  /** The path's parameter, where it has one. */
  readonly parameter?: string;
  /** Parameters without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** Makes a call and answers the envelope's `data`. */
export type ServiceCall = (operation: Operation, content?: CallContent) => Promise<unknown>;

/** What every call needs. */
export interface ServiceCallOptions {
  readonly baseUrl: string;
  readonly adminKey: string | undefined;
  readonly tokens: AccessTokens;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

/** Calls with the credential that the operation asks for; a refused access token is replaced, and the call repeated once. */
export function serviceCall({ baseUrl, adminKey, tokens, send }: ServiceCallOptions): ServiceCall {
  const attempt = async (
    { method }: Operation,
    path: string,
    credential: Record<string, string>,
    { body, idempotencyKey, signal }: CallContent,
  ): Promise<unknown> => {
    const headers: Record<string, string> = { accept: "application/json", ...credential };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
    return readAnswer(`${method} ${path}`, await send(baseUrl + path, init));
  };

  return async (operation, content = {}) => {
    const path = pathOf(operation, content);
    if (operation.credential === "admin-key") {
      if (adminKey !== undefined) return attempt(operation, path, { "x-admin-key": adminKey }, content);
      throw new CentavoError(
        "INVALID_OPTION",
        `${operation.method} ${operation.path} is the administrator's: give createClient the option adminKey, which is sim.credentials.adminKey in a simulator.`,
      );
    }
    const token = await tokens.current();
    try {
      return await attempt(operation, path, { authorization: `Bearer ${token}` }, content);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      return attempt(operation, path, { authorization: `Bearer ${await tokens.after(token)}` }, content);
    }
  };
}

function pathOf({ path }: Operation, { parameter = "", query = {} }: CallContent): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const filled = path.replace(/\{\w+\}/, encodeURIComponent(parameter));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
}
