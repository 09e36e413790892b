/** Whether a header has Basic credentials. Clients may send a token of another scheme with every request. */
export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^Basic\b/i.test(authorization);
}

/** Returns the client id and secret of an HTTP Basic header, raw and percent-decoded: not every client encodes them (RFC 6749 §2.3.1). */
export function readBasic(authorization: string): { readonly id: string; readonly secret: string }[] {
  const encoded = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(authorization)?.[1];
  const text = encoded === undefined ? undefined : decodeBase64(encoded);
  const colon = text?.indexOf(":") ?? -1;
  if (text === undefined || colon < 0) return [];
  const raw = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { id: decodePercent(raw.id), secret: decodePercent(raw.secret) };
  return [raw, decoded];
}

function decodeBase64(encoded: string): string | undefined {
  try {
    return atob(encoded);
  } catch {
    return undefined;
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
