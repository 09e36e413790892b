/** Freezes plain data to the last field, and returns it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) if (typeof part === "object") deepFreeze(part);
  return Object.freeze(value);
}
