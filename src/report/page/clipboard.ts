/** Copies a text. Returns false when the browser does not let the page, such as at an address that is not secure. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
