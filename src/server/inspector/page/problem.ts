/** Returns the sentence with which the server refuses something. */
export async function problemIn(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => "");
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } };
    if (typeof error?.message === "string") return error.message;
  } catch {
    // It is not one of the server's own errors.
  }
  return `The server answered ${answer.status}.`;
}
