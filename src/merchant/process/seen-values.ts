import { isContainer, isFixed, isMap, isObject, isSet } from "./plain-data.ts";

const originals = new WeakMap<object, object>();

/** Returns the value behind a proxy, or any other value unchanged. */
export function unproxied<Value>(value: Value): Value {
  return isObject(value) ? ((originals.get(value) as Value | undefined) ?? value) : value;
}

/** The methods of a Map or Set that change it. */
const CHANGING: ReadonlySet<PropertyKey> = new Set([
  "set",
  "add",
  "delete",
  "clear",
  "getOrInsert",
  "getOrInsertComputed",
]);
/** The array methods that search for a value. The caller may pass the value itself or its proxy. */
const LOOKING: ReadonlySet<PropertyKey> = new Set(["includes", "indexOf", "lastIndexOf"]);

type Method = (...given: unknown[]) => unknown;

/**
 * Returns a proxy that sees every change to plain data, including the objects, arrays, Maps and Sets inside it. Other values, such as
 * instances of classes, are returned unchanged, because they may have private parts that a proxy cannot reach.
 * @param beforeWrite called before each change
 */
export function seenValue<Value>(value: Value, beforeWrite: () => void): Value {
  const proxies = new WeakMap<object, object>();

  const seen = <Part>(part: Part): Part => {
    if (!isObject(part) || originals.has(part) || !isContainer(part)) return part;
    const known = proxies.get(part);
    if (known !== undefined) return known as Part;
    const proxy = new Proxy<object>(part, isMap(part) || isSet(part) ? collection(part) : properties);
    proxies.set(part, proxy);
    originals.set(proxy, part);
    return proxy as Part;
  };

  const properties: ProxyHandler<object> = {
    get: (target, key, receiver) => {
      const found: unknown = Reflect.get(target, key, receiver);
      if (LOOKING.has(key) && Array.isArray(target) && typeof found === "function")
        return (what: unknown, ...more: unknown[]): unknown =>
          Reflect.apply(found as Method, target.map(unproxied), [unproxied(what), ...more]);
      // The language requires that a fixed property is returned unchanged.
      return isObject(found) && !isFixed(target, key) ? seen(found) : found;
    },
    getOwnPropertyDescriptor: (target, key) => {
      const property = Reflect.getOwnPropertyDescriptor(target, key);
      return property?.configurable === true && "value" in property
        ? { ...property, value: seen(property.value as unknown) }
        : property;
    },
    defineProperty: (target, key, property) => {
      beforeWrite();
      return Reflect.defineProperty(
        target,
        key,
        "value" in property ? { ...property, value: unproxied(property.value as unknown) } : property,
      );
    },
    deleteProperty: (target, key) => {
      beforeWrite();
      return Reflect.deleteProperty(target, key);
    },
    preventExtensions: (target) => {
      beforeWrite();
      return Reflect.preventExtensions(target);
    },
  };

  /** Proxies cannot see the entries of Maps and Sets, so their methods are wrapped. */
  const collection = (target: Map<unknown, unknown> | Set<unknown>): ProxyHandler<object> => {
    const methods = new Map<PropertyKey, Method>();
    return {
      ...properties,
      get: (_, key, receiver) => {
        if (Object.hasOwn(target, key)) return properties.get?.(target, key, receiver) as unknown;
        const found: unknown = Reflect.get(target, key, target);
        if (typeof found !== "function" || key === "constructor") return found;
        const known = methods.get(key);
        if (known !== undefined) return known;
        const method = methodOf(target, key, found as Method);
        methods.set(key, method);
        return method;
      },
    };
  };

  const methodOf = (target: Map<unknown, unknown> | Set<unknown>, key: PropertyKey, found: Method): Method => {
    if (key === "forEach") {
      return (callback: unknown, self: unknown) => {
        target.forEach((entry, name) =>
          Reflect.apply(callback as Method, self, [seen(entry), seen(name), seen(target)]),
        );
      };
    }
    return (...given) => {
      if (CHANGING.has(key)) beforeWrite();
      const result = Reflect.apply(found, target, given.map(unproxied));
      return isIterator(result)
        ? iterated(result, key === "entries" || (key === Symbol.iterator && isMap(target)))
        : seen(result);
    };
  };

  function* iterated(iterator: Iterable<unknown>, arePairs: boolean): Generator<unknown, void, undefined> {
    for (const each of iterator) yield arePairs ? (each as unknown[]).map(seen) : seen(each);
  }

  return seen(value);
}

function isIterator(value: unknown): value is Iterable<unknown> {
  return isObject(value) && Symbol.iterator in value && "next" in value && typeof value.next === "function";
}
