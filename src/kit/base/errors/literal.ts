const NAME = /^[a-z_$][\w$]*$/i;

/** Renders a value as a JavaScript literal, which is easier to read than JSON. */
export function asLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(asLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${NAME.test(name) ? name : JSON.stringify(name)}: ${asLiteral(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
