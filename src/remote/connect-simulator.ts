import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { controlCaller } from "./control-call.ts";
import type { ConnectOptions, ControlCaller } from "./control-call.ts";
import { onlyInProcess } from "./only-in-process.ts";
import type { ControlOperation } from "./operation.ts";
import { controlOperations } from "./operations.ts";
import { ownMembers } from "./own-members.ts";
import type { RemoteSimulator } from "./remote-simulator.ts";

/**
 * Connects to a simulator that a server runs, in this process or another. What it returns has the members of a simulator: each function
 * returns a promise, and each property is one. Nothing is sent before the first of them is used.
 * @param url the base URL of the world: the server's own for the default world, `http://127.0.0.1:4010/worlds/checkout` for a named one
 * @throws {CentavoError} `INVALID_URL`, `INVALID_OPTION`. Each member rejects with the error that the simulator throws, and with
 *   `NOT_CONNECTED` when no server answers
 *
 * @example
 * const sim = connectSimulator("http://127.0.0.1:4010", { token });
 * await sim.clock.advance("1 month");
 * console.log(await sim.subscriptions.list({ status: "past_due" }));
 */
export function connectSimulator(url: string, options: ConnectOptions): RemoteSimulator {
  refuseUnknownOptions("connectSimulator", options, ["token", "fetch"]);
  if (typeof options.token !== "string" || options.token === "")
    throw new CentavoError(
      "INVALID_OPTION",
      "connectSimulator: the option token is missing. It is the control token, which the server printed when it started.",
    );
  // What surrounds these marks may be a secret.
  const isMore = typeof url === "string" && /[?#@]/.test(url);
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:/.test(url) || isMore)
    throw new CentavoError(
      "INVALID_URL",
      `connectSimulator(${isMore ? "…" : JSON.stringify(url)}): the first argument is the base URL of a world, such as "http://127.0.0.1:4010", without a user name, a query or a fragment.`,
    );
  const base = url.replace(/(?<!\/)\/+$/, "");
  const call = controlCaller(base, options);
  const remote = {};
  for (const [name, operation] of Object.entries(controlOperations))
    if (!name.startsWith("#")) define(remote, name, memberOf(operation, call));
  for (const [name, reason] of Object.entries(onlyInProcess)) define(remote, name, missing(name, reason));
  const otherWorld = (name: string): RemoteSimulator =>
    connectSimulator(`${base.replace(/\/worlds\/[^/]*$/, "")}/worlds/${encodeURIComponent(name)}`, options);
  const own = ownMembers(call, otherWorld);
  for (const [name, value] of Object.entries(own)) define(remote, name, { value });
  Object.defineProperty(remote, Symbol.asyncDispose, { value: Reflect.get(remote, "close") });
  Object.defineProperty(Reflect.get(remote, "journal"), Symbol.toPrimitive, { value: asText });
  return remote as RemoteSimulator;
}

/** @throws {CentavoError} `INVALID_OPTION`, because a text cannot wait for a server */
function asText(): never {
  throw new CentavoError(
    "INVALID_OPTION",
    "String(sim.journal) cannot wait for the server: await sim.journal.toString().",
  );
}

function memberOf(operation: ControlOperation, call: ControlCaller): PropertyDescriptor {
  if (operation.isProperty === true) return { get: () => call(operation) };
  return { value: (...given: readonly unknown[]) => call(operation, given) };
}

function missing(name: string, reason: string): PropertyDescriptor {
  return {
    value: () => {
      throw new CentavoError("INVALID_STATE", `A remote simulator has no sim.${name}: ${reason}.`);
    },
  };
}

/** Defines a member by its name, such as `clock.now`. */
function define(remote: object, name: string, descriptor: PropertyDescriptor): void {
  const path = name.split(".");
  const member = path.pop() as string;
  let place = remote as Record<string, object>;
  for (const part of path) {
    if (!Object.hasOwn(place, part)) Object.defineProperty(place, part, { value: {}, enumerable: true });
    place = place[part] as Record<string, object>;
  }
  Object.defineProperty(place, member, { ...descriptor, enumerable: true, configurable: true });
}
