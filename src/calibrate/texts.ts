/** Returns every text in a document. */
export function textsIn(document: unknown): readonly string[] {
  const texts: string[] = [];
  gather(document);
  return texts;

  function gather(value: unknown): void {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) gather(part);
  }
}
