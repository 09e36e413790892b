/**
 * Returns plain data that equals the given, and shares with earlier data whatever parts of both are equal. A world keeps what every call
 * says, and most calls say nearly the same as the one before.
 * @param data nobody else has it yet, because its parts are replaced in place
 */
export function sharing<Data>(data: Data, earlier: unknown): Data {
  return shared(data, earlier) as Data;
}

function shared(data: unknown, earlier: unknown): unknown {
  // Of equal texts, the earlier is kept.
  if (Object.is(data, earlier)) return earlier;
  if (!isObject(data) || !isObject(earlier) || Array.isArray(data) !== Array.isArray(earlier)) return data;
  const names = Object.keys(data);
  const earlierNames = Object.keys(earlier);
  let isSame = names.length === earlierNames.length;
  for (const [index, name] of names.entries()) {
    const part = Object.hasOwn(earlier, name) ? shared(data[name], earlier[name]) : data[name];
    data[name] = part;
    isSame &&= earlierNames[index] === name && Object.is(part, earlier[name]);
  }
  return isSame ? earlier : data;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
