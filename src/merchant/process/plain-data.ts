/** What a merchant keeps in memory, as the exam sees it: what can be inspected, what can be copied, and the rest. */

/** A Map, Set, array or plain object. A proxy can stand for it, because it has no private parts that a proxy could not reach. */
export type Container = object;

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function isMap(value: object): value is Map<unknown, unknown> {
  return tagOf(value) === "Map" && isDirect(value);
}

export function isSet(value: object): value is Set<unknown> {
  return tagOf(value) === "Set" && isDirect(value);
}

/** Whether a value is plain data, so that its parts can be inspected. */
export function isContainer(value: object): value is Container {
  return isPlain(value) || (isDirect(value) && (Array.isArray(value) || isMap(value) || isSet(value)));
}

/** Whether `structuredClone` copies a value as a whole, such as a date or bytes. */
export function isCloneable(value: object): boolean {
  return CLONEABLE.has(tagOf(value)) || ArrayBuffer.isView(value);
}

const CLONEABLE: ReadonlySet<string> = new Set([
  "Date",
  "RegExp",
  "Error",
  "ArrayBuffer",
  "Boolean",
  "Number",
  "String",
]);

/** Whether a proxy has to return a property as it is. */
export function isFixed(value: object, key: PropertyKey): boolean {
  const property = Reflect.getOwnPropertyDescriptor(value, key);
  return property?.configurable === false && property.writable !== true;
}

/** Accepts objects of any realm, because a runner may give each test its own. */
function isPlain(value: object): boolean {
  const prototype = prototypeOf(value);
  return (
    prototype === null ||
    (tagOf(value) === "Object" && prototypeOf(prototype) === null && Object.hasOwn(prototype, "toString"))
  );
}

/** Whether the value was made by a built-in class itself, not by a subclass. */
function isDirect(value: object): boolean {
  const prototype = prototypeOf(value);
  const next = prototype === null ? null : prototypeOf(prototype);
  return next !== null && prototypeOf(next) === null;
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
