import { isCloneable, isContainer, isObject } from "./plain-data.ts";
import type { StoreCall } from "./store.ts";

/** Stands between one run of the merchant's program and its database. */
export interface DatabaseGate {
  readonly isWrite: (call: StoreCall) => boolean;
  /** Whether the program is still running. Calls of a dead program do nothing. */
  readonly isOpen: () => boolean;
  /** Called before a write. Returns a function to call after the write. */
  readonly write: () => () => void;
  /** Holds the answer of an asynchronous call until its turn comes. If the program has ended, it never comes. */
  readonly answered: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  /** Rejects when the program ends. */
  readonly untilTheEnd: Promise<never>;
  /** Returns the result of a dead program's call. */
  readonly stopped: () => unknown;
}

type Method = (...given: unknown[]) => unknown;

/** Returns a database whose calls go through a gate, and so do the calls of everything it returns: statements, transactions. */
export function gatedDatabase<Store extends object>(database: Store, gate: DatabaseGate): Store {
  const proxies = new WeakMap<object, object>();

  const isPart = (value: unknown): value is object =>
    isObject(value) && !isPromise(value) && !isCloneable(value) && (!isContainer(value) || hasMethods(value));

  const gated = <Part extends object>(part: Part, on: StoreCall | undefined): Part => {
    const known = proxies.get(part);
    if (known !== undefined) return known as Part;
    const methods = new Map<PropertyKey, { readonly found: unknown; readonly method: Method }>();
    const proxy = new Proxy(part, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key, target);
        if (typeof found !== "function") return isPart(found) ? gated(found, on) : found;
        if (key === "constructor") return found;
        const made = methods.get(key);
        if (made?.found === found) return made.method;
        const method = methodOf(target, String(key), found as Method, on);
        methods.set(key, { found, method });
        return method;
      },
      set: (target, key, value: unknown) => Reflect.set(target, key, value, target),
    });
    proxies.set(part, proxy);
    return proxy;
  };

  const methodOf =
    (target: object, method: string, found: Method, on: StoreCall | undefined): Method =>
    (...given) => {
      if (!gate.isOpen()) return gate.stopped();
      const call = { method, parameters: given, ...(on === undefined ? {} : { on }) };
      const written = gate.isWrite(call) ? gate.write() : undefined;
      if (!gate.isOpen()) return gate.stopped();
      const parameters = given.map((each) => (typeof each === "function" ? callback(each as Method, call) : each));
      const result = Reflect.apply(found, target, parameters);
      if (result === target) return proxies.get(target);
      if (!isPromise(result)) {
        written?.();
        return handedOut(result, call);
      }
      return gate.answered(
        result.then((answer) => {
          if (gate.isOpen()) written?.();
          return handedOut(answer, call);
        }),
      );
    };

  const handedOut = (result: unknown, call: StoreCall): unknown => {
    if (typeof result === "function") return methodOf(result, call.method, result as Method, call);
    return isPart(result) ? gated(result, call) : result;
  };

  /** What the program does inside a call, such as a transaction. When the program ends, the call fails and so undoes it. */
  const callback =
    (work: Method, call: StoreCall): Method =>
    (...given) => {
      const result = work(...given.map((each) => (isPart(each) ? gated(each, call) : each)));
      return isPromise(result) ? Promise.race([result, gate.untilTheEnd]) : result;
    };

  return gated(database, undefined);
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Rows are data. An object with methods, such as a transaction, may write. */
function hasMethods(value: object): boolean {
  return !Array.isArray(value) && Object.values(value).some((each) => typeof each === "function");
}
