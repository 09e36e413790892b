import { CentavoError } from "../../errors/centavo-error.ts";
import { inWords } from "../../errors/in-words.ts";

/**
 * How the exam keeps a merchant's own database: which calls write, and how its state is kept and put back.
 *
 * @example
 * const sqlite: StoreAdapter<DatabaseSync> = {
 *   open: () => new DatabaseSync(":memory:"),
 *   isWrite: (method, [sql]) => method === "exec" || /^\s*(insert|update|delete)/i.test(String(sql)),
 * };
 */
export interface StoreAdapter<Store> {
  /** Opens an empty store, for each story. */
  readonly open: () => Store | Promise<Store>;
  /** Whether a call of the store writes. */
  readonly isWrite: (method: string, parameters: readonly unknown[]) => boolean;
  /** Ends a store after its story. */
  readonly close?: (store: Store) => unknown;
}

/** Returns true for an adapter, and false for a value. */
export function isAdapter<Store>(store: unknown): store is StoreAdapter<Store> {
  return (
    typeof store === "object" &&
    store !== null &&
    "open" in store &&
    typeof store.open === "function" &&
    "isWrite" in store &&
    typeof store.isWrite === "function"
  );
}

/** What sees the writes of one run of the merchant's program. */
export interface WriteGate {
  /** Whether the program still runs: what a dead one writes is lost. */
  readonly isOpen: () => boolean;
  /** Called before each write; returns false when it must not happen. */
  readonly before: () => boolean;
  readonly after: () => void;
}

type Changeable = object;

/** The methods that change a Map, Set or array. */
const CHANGING: ReadonlySet<PropertyKey> = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
]);

/**
 * Returns a store whose writes one run of the program makes through a gate: also those to objects, arrays, Maps and Sets inside it. The
 * values themselves are those of `store`, so that the next run finds them.
 */
export function gated<Store>(store: Store, gate: WriteGate): Store {
  const proxies = new WeakMap<Changeable, Changeable>();
  const originals = new WeakMap<Changeable, Changeable>();

  /** What the program writes may hold values that it read: those of a copy, such as `{ ...row, status }`, are nested. */
  const original = <Value>(value: Value, met = new Set<object>()): Value => {
    if (!isObject(value)) return value;
    const known = originals.get(value);
    if (known !== undefined) return known as Value;
    if (!isData(value) || Object.isFrozen(value) || met.has(value)) return value;
    met.add(value);
    if (value instanceof Map) {
      for (const [key, each] of value) if (isObject(each)) value.set(key, original<unknown>(each, met));
    } else if (value instanceof Set) {
      const all = [...value].map((each) => original<unknown>(each, met));
      value.clear();
      for (const each of all) value.add(each);
    } else {
      for (const [key, each] of Object.entries(value))
        if (isObject(each)) Reflect.set(value, key, original<unknown>(each, met));
    }
    return value;
  };
  const write = <Result>(change: () => Result, otherwise: Result): Result => {
    if (!gate.isOpen() || !gate.before() || !gate.isOpen()) return otherwise;
    const result = change();
    gate.after();
    return result;
  };
  const seen = <Value>(value: Value): Value => {
    if (!isObject(value) || !isData(value)) return value;
    const known = proxies.get(value);
    if (known !== undefined) return known as Value;
    const proxy = new Proxy(value, handlerOf(value));
    proxies.set(value, proxy);
    originals.set(proxy, value);
    return proxy as Value;
  };

  const handlerOf = (target: Changeable): ProxyHandler<Changeable> => ({
    get: (_, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return seen(value);
      if (key === "constructor") return value;
      if (CHANGING.has(key)) {
        return (...given: unknown[]) => {
          const result: unknown = write(
            (): unknown =>
              Reflect.apply(
                value,
                target,
                given.map((each) => original(each)),
              ) as unknown,
            undefined,
          );
          return result === target || result === undefined
            ? key === "set" || key === "add"
              ? seen(target)
              : result
            : seen(result);
        };
      }
      if (!(target instanceof Map || target instanceof Set)) return value.bind(seen(target)) as unknown;
      return (...given: unknown[]) => read(target, key, value as (...given: never[]) => unknown, given);
    },
    set: (_, key, value: unknown) => {
      write(() => Reflect.set(target, key, original(value)), false);
      return true;
    },
    deleteProperty: (_, key) => {
      write(() => Reflect.deleteProperty(target, key), false);
      return true;
    },
    defineProperty: (_, key, descriptor) => {
      write(() => Reflect.defineProperty(target, key, descriptor), false);
      return true;
    },
  });

  /** Maps and Sets keep their entries where no proxy sees them, so what they hand out is wrapped. */
  const read = (
    target: Map<unknown, unknown> | Set<unknown>,
    key: PropertyKey,
    method: (...given: never[]) => unknown,
    given: unknown[],
  ): unknown => {
    if (key === "forEach") {
      const [callback, self] = given as [(...entry: unknown[]) => unknown, unknown];
      for (const entry of target instanceof Map ? target : target.entries())
        callback.call(self, seen(entry[1]), seen(entry[0]), seen(target));
      return undefined;
    }
    const result: unknown = Reflect.apply(
      method,
      target,
      given.map((each) => original(each)),
    );
    if (key === "get" || key === "has") return seen(result);
    if (
      typeof result === "object" &&
      result !== null &&
      Symbol.iterator in result &&
      typeof (result as IterableIterator<unknown>).next === "function"
    )
      return iterated(result as IterableIterator<unknown>);
    return result;
  };
  function* iterated(entries: Iterable<unknown>): Generator<unknown, void, undefined> {
    for (const entry of entries) yield Array.isArray(entry) && !originals.has(entry) ? entry.map(seen) : seen(entry);
  }

  if (!isObject(store)) return store;
  if (isData(store)) return seen(store);
  return store;
}

/** Returns a database whose writes go through a gate. */
export function gatedDatabase<Store>(store: Store, adapter: StoreAdapter<Store>, gate: WriteGate): Store {
  if (!isObject(store)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: store.open() returned ${inWords(store)}. It returns the merchant's database.`,
    );
  }
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      return (...given: unknown[]): unknown => {
        if (!gate.isOpen()) return new Promise(() => undefined);
        const isWrite = typeof key === "string" && adapter.isWrite(key, given);
        if (!isWrite) return Reflect.apply(value, target, given) as unknown;
        if (!gate.before() || !gate.isOpen()) return new Promise(() => undefined);
        const result: unknown = Reflect.apply(value, target, given);
        if (isObject(result) && "then" in result && typeof result.then === "function")
          return (result as unknown as Promise<unknown>).then((settled) => {
            gate.after();
            return settled;
          });
        gate.after();
        return result;
      };
    },
  });
}

function isObject(value: unknown): value is Changeable {
  return typeof value === "object" && value !== null;
}

/** Whether a value is plain data, whose parts a proxy can see. An instance of a class may have private parts, which a proxy has not. */
function isData(value: Changeable): boolean {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
