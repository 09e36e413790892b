import type { OpenCall } from "./open-calls.ts";
import { isCloneable, isContainer, isFixed, isObject } from "./plain-data.ts";
import type { StoreCall } from "./store.ts";

/** Stands between one run of the merchant's program and its database. */
export interface DatabaseGate {
  readonly isWrite: (call: StoreCall) => boolean;
  /** Whether the program is still running. Calls of a dead program do nothing. */
  readonly isOpen: () => boolean;
  /** Called before a write. Returns a function to call after the write. */
  readonly write: () => () => void;
  /** Holds the answer of an asynchronous call until its turn comes. If the program has ended, it never comes. */
  readonly called: <Answer>(answer: Promise<Answer>, call: OpenCall) => Promise<Answer>;
  /** Rejects when the program ends. */
  readonly untilTheEnd: Promise<never>;
  /** Returns the result of a dead program's call. */
  readonly stopped: () => unknown;
}

type Method = (...given: unknown[]) => unknown;

/** The methods that add or remove a listener. What removes it takes the very function that was added. */
const LISTENS = /^(?:on|once|off)$|Listener$/;

/** The objects that proxies stand for. */
const originals = new WeakMap<object, object>();

/** Returns a database whose calls go through a gate, and so do the calls of everything it returns: statements, transactions, queries. */
export function gatedDatabase<Store extends object>(database: Store, gate: DatabaseGate): Store {
  const proxies = new WeakMap<object, object>();
  const openCalls = new WeakMap<StoreCall, OpenCall>();
  const listeners = new WeakMap<object, WeakMap<Method, Method>>();

  const gated = <Part extends object>(part: Part, on: StoreCall | undefined): Part => {
    const known = proxies.get(part);
    if (known !== undefined) return known as Part;
    const methods = new Map<PropertyKey, { readonly found: unknown; readonly method: unknown }>();
    const proxy = new Proxy(part, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key, target);
        if (typeof found !== "function") return isPart(found) ? gated(found, on) : found;
        if (key === "constructor" || isFixed(target, key)) return found;
        const made = methods.get(key);
        if (made?.found === found) return made.method;
        const method = hasOwnParts(found) ? gated(found, on) : methodOf(target, key, found, on);
        methods.set(key, { found, method });
        return method;
      },
      set: (target, key, value: unknown) => Reflect.set(target, key, ungated(value), target),
      apply: (target, self, given: unknown[]) =>
        call(target as Method, self, { method: nameOf(target), parameters: given, target, ...(on && { on }) }),
    });
    proxies.set(part, proxy);
    originals.set(proxy, part);
    return proxy;
  };

  const methodOf = (target: object, key: PropertyKey, found: Method, on: StoreCall | undefined): Method =>
    isThenable(target) && (key === "then" || key === "catch" || key === "finally")
      ? (...given) => Reflect.apply(Promise.prototype[key], settled(target, on), given as never[]) as unknown
      : (...given) => call(found, target, { method: String(key), parameters: given, target, ...(on && { on }) });

  /** A query builder runs its query when somebody waits for it. */
  const settled = (query: PromiseLike<unknown>, on: StoreCall | undefined): unknown => {
    const run = (): Promise<unknown> => new Promise((resolve, reject) => void query.then(resolve, reject));
    const made = { method: "then", parameters: [], target: query, ...(on && { on }) };
    return call(run, query, made, on && openCalls.get(on));
  };

  const call = (found: Method, self: unknown, made: StoreCall, open: OpenCall = { callbacks: 0 }): unknown => {
    if (!gate.isOpen()) return gate.stopped();
    const written = gate.isWrite(made) ? gate.write() : undefined;
    if (!gate.isOpen()) return gate.stopped();
    openCalls.set(made, open);
    const parameters = made.parameters.map((each) =>
      typeof each === "function" && !originals.has(each) ? handedIn(each as Method, made, open) : ungated(each),
    );
    const result: unknown = Reflect.apply(found, ungated(self), parameters);
    if (result === made.target) return proxies.get(made.target);
    if (!isBegun(result)) {
      written?.();
      return handedOut(result, made);
    }
    return gate.called(result, open).then((answer) => {
      written?.();
      return gate.isOpen() ? handedOut(answer, made) : gate.stopped();
    });
  };

  const handedOut = (result: unknown, made: StoreCall): unknown => (isPart(result) ? gated(result, made) : result);

  const handedIn = (work: Method, made: StoreCall, open: OpenCall): Method => {
    if (!LISTENS.test(made.method)) return callback(work, made, open);
    const ofTarget = listeners.get(made.target) ?? new WeakMap<Method, Method>();
    const listener = ofTarget.get(work) ?? callback(work, made, open);
    listeners.set(made.target, ofTarget.set(work, listener));
    return listener;
  };

  /** What the program does inside a call, such as a transaction. When the program ends, the call fails and so undoes it. */
  const callback =
    (work: Method, made: StoreCall, open: OpenCall): Method =>
    (...given) => {
      const result = work(...given.map((each) => handedOut(each, made)));
      if (!(result instanceof Promise)) return gate.isOpen() ? result : gate.stopped();
      open.callbacks += 1;
      return Promise.race([result, gate.untilTheEnd]).finally(() => (open.callbacks -= 1));
    };

  return gated(database, undefined);
}

/** Whether something has to go through the gate, too, because it may write. Rows are data. */
function isPart(value: unknown): value is object {
  if (typeof value === "function") return true;
  if (!isObject(value) || isBegun(value) || isCloneable(value)) return false;
  return !isContainer(value) || hasMethods(value) || isThenable(value);
}

function hasMethods(value: object): boolean {
  return !Array.isArray(value) && Object.values(value).some((each) => typeof each === "function");
}

/** Whether a function is also an object with methods, as Knex is. */
function hasOwnParts(found: unknown): found is object {
  return Object.values(found as object).some((each) => typeof each === "function");
}

/** Whether work has begun. Classes that extend Promise, such as the queries of postgres.js, begin when somebody waits for them. */
function isBegun(value: unknown): value is Promise<unknown> {
  return value instanceof Promise && Object.getPrototypeOf(value) === Promise.prototype;
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown }).then === "function";
}

function ungated(value: unknown): unknown {
  if (Array.isArray(value)) return value.some((each) => originals.has(each as object)) ? value.map(ungated) : value;
  return originals.get(value as object) ?? value;
}

function nameOf(found: object): string {
  return String((found as { readonly name?: unknown }).name);
}
