const WRITE = /^\s*(?:insert|update|delete|merge|replace|truncate|copy|call|commit|end)\b/i;
const WRITE_AFTER_WITH = /\b(?:insert|update|delete|merge)\b/i;

/** Whether a statement of SQL changes data, or commits what others have changed. */
export function writes(sql: string): boolean {
  return WRITE.test(sql) || (/^\s*with\b/i.test(sql) && WRITE_AFTER_WITH.test(sql));
}

/** Returns the text of a query, which drivers take as a string, as the parts of a template, or as an object with its `text` or `sql`. */
export function statementOf(query: unknown): string {
  if (Array.isArray(query)) return query.join("?");
  if (typeof query !== "object" || query === null) return String(query);
  return String("text" in query ? query.text : "sql" in query ? query.sql : "");
}
