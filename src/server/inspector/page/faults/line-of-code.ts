/** A fault as plain data. */
export type Fault = Readonly<Record<string, unknown>> & { readonly kind: string };

const NAME = /^[a-z_$][\w$]*$/i;

/** Writes a value as a test writes it. */
export function asLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${NAME.test(name) ? name : JSON.stringify(name)}: ${asLiteral(inner)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Returns the line of a test that plans a fault. */
export function lineOfCode(fault: Fault): string {
  return `sim.faults.add(${asLiteral(fault)});`;
}

/** Reads what somebody typed into a field: text if the field takes text, and otherwise JSON, or text when it is not JSON. */
export function valueOf(typed: string, isText = false): unknown {
  if (isText) return typed;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}
