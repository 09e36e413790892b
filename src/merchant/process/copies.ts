import { isCloneable, isContainer, isMap, isObject, isSet } from "./plain-data.ts";
import { unproxied } from "./seen-values.ts";

/**
 * Returns a deep copy of plain data, without proxies.
 * @param other called for anything else, such as an instance of a class; returns what replaces it in the copy
 */
export function copyOf<Value>(value: Value, other: (value: unknown) => unknown = (same) => same): Value {
  const copies = new Map<object, object>();

  const copy = (each: unknown): unknown => {
    if (!isObject(each)) return typeof each === "function" ? other(each) : each;
    const original = unproxied(each);
    const known = copies.get(original);
    if (known !== undefined) return known;
    if (!isContainer(original))
      return isCloneable(original) ? keep(original, structuredClone(original)) : other(original);
    if (isMap(original)) {
      const map = keep(original, new Map<unknown, unknown>());
      for (const [key, entry] of original) map.set(copy(key), copy(entry));
      return withProperties(original, map);
    }
    if (isSet(original)) {
      const set = keep(original, new Set<unknown>());
      for (const member of original) set.add(copy(member));
      return withProperties(original, set);
    }
    const empty = Array.isArray(original)
      ? []
      : (Object.create(Object.getPrototypeOf(original) as object | null) as object);
    return withProperties(original, keep(original, empty));
  };

  const keep = <Copy extends object>(original: object, made: Copy): Copy => {
    copies.set(original, made);
    return made;
  };

  const withProperties = (original: object, made: object): object => {
    for (const key of Reflect.ownKeys(original)) {
      const property = Object.getOwnPropertyDescriptor(original, key) as PropertyDescriptor;
      Object.defineProperty(made, key, "value" in property ? { ...property, value: copy(property.value) } : property);
    }
    if (Object.isFrozen(original)) return Object.freeze(made);
    if (Object.isSealed(original)) return Object.seal(made);
    return Object.isExtensible(original) ? made : Object.preventExtensions(made);
  };

  return copy(value) as Value;
}
