import type { SecretKind } from "./secret-names.ts";

const SHORTEST_PASSWORD = 8;

/**
 * Redacts the value of an `Authorization` header. Its scheme stays, and so does the name of HTTP Basic, when a password follows that is long
 * enough to be the secret.
 */
export function redactCredentials(value: string, standIn: (kind: SecretKind, secret: string) => string): string {
  const [, scheme = "", space = "", credentials = ""] = /^\s*([\w-]+)(\s+)(.+?)\s*$/s.exec(value) ?? [];
  if (credentials === "") return standIn("token", value.trim());
  if (scheme.toLowerCase() !== "basic") return `${scheme}${space}${standIn("token", credentials)}`;
  const decoded = fromBase64(credentials);
  const end = decoded?.indexOf(":") ?? -1;
  if (decoded === undefined || end < 0) return `${scheme}${space}${standIn("token", credentials)}`;
  const password = decoded.slice(end + 1);
  const name = password.length < SHORTEST_PASSWORD ? standIn("secret", decoded.slice(0, end)) : decoded.slice(0, end);
  return `${scheme}${space}${Buffer.from(`${name}:${standIn("secret", password)}`).toString("base64")}`;
}

function fromBase64(text: string): string | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
