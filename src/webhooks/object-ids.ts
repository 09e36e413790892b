const NAMES = new Set(["id", "externalId", "sessionToken", "transactionId", "intentId", "subscriptionId", "invoiceId"]);
/** What is the merchant's own, or shared by many objects. */
const ELSEWHERE = new Set(["metadata", "contact", "paymentMethod", "plan", "pendingPlan"]);

/** Every id by which what an event is about may be meant. */
export function objectIds(content: unknown): string[] {
  const ids: string[] = [];
  renameObjects(content, (id) => {
    ids.push(id);
    return id;
  });
  return ids;
}

/** The same content about other objects. */
export function renameObjects<Content>(content: Content, rename: (id: string) => string): Content {
  if (Array.isArray(content)) return content.map((member: unknown) => renameObjects(member, rename)) as Content;
  if (typeof content !== "object" || content === null) return content;
  const members = Object.entries(content).map(([name, value]: [string, unknown]) => {
    if (NAMES.has(name) && typeof value === "string") return [name, rename(value)];
    return [name, ELSEWHERE.has(name) ? value : renameObjects(value, rename)];
  });
  return Object.fromEntries(members) as Content;
}
