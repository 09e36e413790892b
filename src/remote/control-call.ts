import { CONTROL_PATH, NO_RESULT } from "../client/control-api.ts";
import { CentavoError, centavoErrorCodes } from "../kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { ControlOperation } from "./operation.ts";

/** The options of `connectSimulator`. */
export interface ConnectOptions {
  /** The control token, which the server printed when it started. */
  readonly token: string;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** Calls a route of the control API with the arguments of a member. */
export type ControlCaller = (operation: ControlOperation, given?: readonly unknown[]) => Promise<unknown>;

/**
 * Returns the function that calls the control API of a world.
 * @param url the base URL of the world, without a trailing slash
 */
export function controlCaller(url: string, options: ConnectOptions): ControlCaller {
  const { token, fetch = (...given) => globalThis.fetch(...given) } = options;
  return async ({ method, path, takes = [], gives, sends, isText = false }, given = []) => {
    const { signal, ...fields } = fieldsOf(takes, given);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { [name]: value } = fields;
      delete fields[name];
      return encodeURIComponent(String(value));
    });
    const query = sends === "query" ? new URLSearchParams(fields as Record<string, string>).toString() : "";
    const response = await answerOf(
      url,
      () =>
        fetch(`${url}${CONTROL_PATH}${address}${query === "" ? "" : `?${query}`}`, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(sends === "body" && { "content-type": "application/json" }),
          },
          ...(sends === "body" && { body: JSON.stringify(fields) }),
          ...(signal !== undefined && { signal: signal as AbortSignal }),
        }),
      signal as AbortSignal | undefined,
    );
    if (response.status === 204) return undefined;
    if (isText && response.ok) return response.text();
    const answer = await jsonOf(url, response);
    if (response.ok) return gives === undefined ? answer : answer[gives];
    if ((answer["error"] as { readonly code?: string } | undefined)?.code === NO_RESULT) return undefined;
    throw errorIn(url, response, answer);
  };
}

/**
 * Returns the fields of a call. Its last argument may be an object with the fields that have no place of their own.
 * @throws {CentavoError} `INVALID_OPTION` for a function, which would be left out in silence
 */
function fieldsOf(takes: readonly string[], given: readonly unknown[]): Record<string, unknown> {
  const rest = given[takes.length];
  const fields: Record<string, unknown> = typeof rest === "object" && rest !== null ? { ...rest } : {};
  for (const [place, name] of takes.entries()) fields[name] = given[place];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) delete fields[name];
    if (typeof value === "function")
      throw new CentavoError("INVALID_OPTION", `${name} is a function, which cannot be sent over HTTP. Leave it out.`);
  }
  return fields;
}

/** @throws {CentavoError} `NOT_CONNECTED` when no server answers, and the reason of the signal */
async function answerOf(
  url: string,
  call: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  try {
    return await call();
  } catch (error) {
    signal?.throwIfAborted();
    throw new CentavoError(
      "NOT_CONNECTED",
      `No server answered at ${url}: ${messageOf((error as Error).cause ?? error)}. Start one with npx centavo serve or serve(sim), and give connectSimulator its address.`,
      { cause: error },
    );
  }
}

/** @throws {CentavoError} `NOT_CONNECTED` for an answer of another server */
async function jsonOf(url: string, response: Response): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await response.json()) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new CentavoError(
      "NOT_CONNECTED",
      `What answers at ${url} is not the control API of a Centavo server: its answer with the status ${response.status} is not JSON. Give connectSimulator the base URL of a world.`,
      { cause: error },
    );
  }
}

/** Returns the simulator's own error, or what the server itself refused. */
function errorIn(url: string, { status }: Response, { error }: Readonly<Record<string, unknown>>): Error {
  const { code = "", message = "" } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  if ((centavoErrorCodes as readonly string[]).includes(code))
    return new CentavoError(code as CentavoErrorCode, message);
  if (status === 401 || status === 403)
    return new CentavoError("INVALID_OPTION", `connectSimulator: the server at ${url} refused the token. ${message}`);
  return new CentavoError("NOT_CONNECTED", `The server at ${url} answered ${status} ${code}. ${message}`);
}
