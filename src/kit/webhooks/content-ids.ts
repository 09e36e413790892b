/** How to find the ids of a service's objects in the content of its events. */
export interface ContentIds {
  /** Members that contain the id of an object. */
  readonly names: ReadonlySet<string>;
  /** Members to leave alone, because their ids belong to the merchant or are shared by many objects. */
  readonly foreign: ReadonlySet<string>;
  /** Returns the id of the object that an event is about. */
  subjectOf(content: object): string | undefined;
}

export function idsIn(content: unknown, contentIds: ContentIds): string[] {
  const ids: string[] = [];
  renameIds(content, contentIds, (id) => {
    ids.push(id);
    return id;
  });
  return ids;
}

/** Returns a copy of the content with other ids. */
export function renameIds<Content>(content: Content, contentIds: ContentIds, rename: (id: string) => string): Content {
  if (Array.isArray(content)) return content.map((member: unknown) => renameIds(member, contentIds, rename)) as Content;
  if (typeof content !== "object" || content === null) return content;
  const { names, foreign } = contentIds;
  const members = Object.entries(content).map(([name, value]: [string, unknown]) => {
    if (names.has(name) && typeof value === "string") return [name, rename(value)];
    return [name, foreign.has(name) ? value : renameIds(value, contentIds, rename)];
  });
  return Object.fromEntries(members) as Content;
}
