import type { RawAnswer } from "../kit/http/route.ts";
import type { Service } from "../kit/http/callable-service.ts";

interface KeySet {
  readonly keys: readonly { readonly kid?: string }[];
}

/**
 * Answers a request for a document for several worlds at once: with the document if all worlds agree, or with the public keys of all of
 * them. So the worlds need not be told apart, and none of them journals the request.
 * @returns undefined for any other request, for a single world, and when a world has no such document or another one
 */
export function sharedDocument({ method, url }: Request, services: readonly Service[]): RawAnswer | undefined {
  if (services.length === 1 || (method !== "GET" && method !== "HEAD")) return undefined;
  const documents: RawAnswer[] = [];
  for (const service of services) {
    const document = service.documentAt?.(url);
    if (document === undefined) return undefined;
    documents.push(document);
  }
  const [first] = documents as [RawAnswer];
  if (documents.every(({ body }) => body === first.body)) return first;
  const sets = documents.map(({ body }) => JSON.parse(body) as Partial<KeySet>);
  if (!sets.every((set): set is KeySet => Array.isArray(set.keys))) return undefined;
  // Worlds with the same seed have the same key.
  const keys = new Map(sets.flatMap((set) => set.keys.map((key) => [key.kid, key])));
  return { ...first, body: JSON.stringify({ keys: [...keys.values()] }) };
}
