import { CentavoError, centavoErrorCodes } from "../kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { controlOperations } from "./operations.ts";
import type { ControlOperation } from "./operation.ts";
import type { RemoteSimulator } from "./remote-simulator.ts";

/** The options of `connectSimulator`. */
export interface ConnectOptions {
  /** The control token, which the server printed when it started. */
  readonly token: string;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

const CONTROL_PATH = "/_centavo/api/v1";

/**
 * Connects to a simulator that a server runs, in this process or another. What it returns has the members of a simulator, each of which
 * returns a promise.
 * @param url the base URL of the world: the server's own for the default world, `http://127.0.0.1:4010/worlds/checkout` for a named one
 * @throws {CentavoError} `INVALID_URL`, `INVALID_OPTION`; each member rejects with the error that the simulator throws
 *
 * @example
 * const sim = connectSimulator("http://127.0.0.1:4010", { token });
 * await sim.clock.advance("1 month");
 */
export function connectSimulator(url: string, options: ConnectOptions): RemoteSimulator {
  refuseUnknownOptions("connectSimulator", options, ["token", "fetch"]);
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CentavoError(
      "INVALID_URL",
      `connectSimulator(${JSON.stringify(url)}): the first argument is the base URL of a world, such as "http://127.0.0.1:4010".`,
    );
  const call = callOf(url.replace(/\/+$/, ""), options);
  const remote: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(controlOperations)) {
    const path = name.split(".");
    const member = path.pop() as string;
    let place = remote;
    for (const part of path) place = (place[part] ??= {}) as Record<string, unknown>;
    place[member] = (...given: readonly unknown[]) => call(operation, given);
  }
  return remote as unknown as RemoteSimulator;
}

function callOf(url: string, { token, fetch = (...given) => globalThis.fetch(...given) }: ConnectOptions) {
  return async (
    { method, path, takes, gives, sends }: ControlOperation,
    given: readonly unknown[],
  ): Promise<unknown> => {
    const fields = fieldsOf(takes, given);
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { [name]: value } = fields;
      delete fields[name];
      return encodeURIComponent(String(value));
    });
    const query = sends === "query" ? new URLSearchParams(fields as Record<string, string>).toString() : "";
    const response = await fetch(`${url}${CONTROL_PATH}${address}${query === "" ? "" : `?${query}`}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(sends === "body" && { body: JSON.stringify(fields) }),
    });
    if (response.status === 204) return undefined;
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    if (!response.ok) throw errorIn(answer);
    return gives === undefined ? answer : answer[gives];
  };
}

/** The last argument may be an object with the fields that have no place of their own. */
function fieldsOf(takes: readonly string[], given: readonly unknown[]): Record<string, unknown> {
  const rest = given[takes.length];
  const fields = typeof rest === "object" && rest !== null ? { ...rest } : {};
  for (const [place, name] of takes.entries())
    Object.assign(fields, given[place] === undefined ? {} : { [name]: given[place] });
  return fields;
}

function errorIn({ error }: Readonly<Record<string, unknown>>): Error {
  const { code, message } = (error ?? {}) as { readonly code?: string; readonly message?: string };
  const isKnown = (centavoErrorCodes as readonly string[]).includes(code ?? "");
  return isKnown
    ? new CentavoError(code as CentavoErrorCode, message ?? "")
    : new Error(message ?? "The server failed.");
}
