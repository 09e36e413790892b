/** What may stand before a statement: libraries write the name of a query there, in a comment. */
const BEFORE = /^(?:\s|--.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/;
const WRITE = /^(?:insert|update|delete|merge|replace|truncate|copy|call|commit|end)\b/i;
const WRITE_AFTER_WITH = /\b(?:insert|update|delete|merge)\b/i;

/** Whether a statement of SQL changes data, or commits what others have changed. */
export function writes(sql: string): boolean {
  const statement = sql.replace(BEFORE, "");
  return WRITE.test(statement) || (/^with\b/i.test(statement) && WRITE_AFTER_WITH.test(statement));
}

/** Returns the text of a query, which drivers take as a string, as the parts of a template, or as an object with its `text` or `sql`. */
export function statementOf(query: unknown): string {
  if (Array.isArray(query)) return query.join("?");
  if (typeof query !== "object" || query === null) return String(query);
  return String("text" in query ? query.text : "sql" in query ? query.sql : "");
}
